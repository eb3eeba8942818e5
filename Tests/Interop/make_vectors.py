#!/usr/bin/env python3
"""Make the project's own test vectors: make_vectors.py [--check] [--seed TEXT] [FOLDER]

Writes open-positive, open-negative, sequence, seal, bundle and derive .json in the format of docs/spec/cases.md, and enrollment,
sealer, attachment, at-rest, audit and backup .json in formats of their own, into FOLDER (Tests/Vectors if not given). Every key, name
and text is made up from the seed, which is printed; the same seed gives the same bytes. Of what is refused the rule is written down
beside the flaw, the outcome is the one that the tables of docs/spec have for it, and the second implementation (waxwing.py, opener.py)
has to come to the same, or nothing is written. With --check nothing is written either: the files there are compared with what would be
made, and the exit status says whether they are the same.
"""

import argparse
import base64
import os
import sys

import at_rest_vectors
import attachment_vectors
import audit_vectors
import backup_vectors
import enrollment_vectors
import sealer_vectors
import waxwing as w
from bundle_vectors import Bundles
from seal_vectors import Seals
from vector_base import DAY, GRACE, NOW, Key, Stream
from waxwing import b64url, compact


class Maker(Bundles, Seals):
    # The files

    def make(self):
        self.open_positive()
        self.open_negative()
        self.sequences()
        self.seals()
        self.bundles()
        self.derivations()

    TEXTS = (
        ("Japanese", "\u660e\u65e5\u306e\u6253\u3061\u5408\u308f\u305b\u306f\u5341\u6642\u3067\u3059"),
        ("emoji with joiners", "\U0001F469\u200d\U0001F469\u200d\U0001F466 \U0001F1EB\U0001F1EE \U0001F44D\U0001F3FD"),
        ("right to left with isolates", "\u2067\u0634\u0643\u0631\u0627\u2069 \u2066(ok)\u2069"),
        ("quotes, backslashes, markup", "\"a\\b\" </p> %@ ${x} 'c' \\n"),
        ("every control character", "".join(map(chr, range(0x20))) + "\x7f\x80\u2028\u2029"),
        ("combining marks in two spellings", "e\u0301 \u00e9 \u1e9b\u0323"),
        ("noncharacters and private use", "\ufffe\uffff\ue000\U0010ffff"),
        ("empty", ""),
    )

    def open_positive(self):
        self.file("open-positive", "Pushes that open; where a seal member is there, sealing again gives the same bytes")
        both = ((self.river, "dir"), (self.harbour, "HPKE-7"))
        for name, text in self.TEXTS:
            for key, alg in both:
                self.good("text", "%s, body: %s" % (alg, name), key, self.claims(key, body=text))
        full = {
            "title": "T", "subtitle": "S", "body": "B", "loc_title": {"key": "new", "args": {}},
            "loc_body": {"key": "from", "args": {"count": "2", "name": "{name}"}}, "thread": "t", "category": "\u00df" * 32,
            "image": {"url": "https://img.example/a.webp", "sha256": self.random.text(32), "key": self.random.text(32)},
            "data": {"a": [1, w.Raw("1.5"), None, True, {"b": ""}], "z": w.Raw("-7")}, "trunc": True,
        }
        for key, alg in both:
            self.good("claims", alg + ", every claim", key, self.claims(key, **full))
            self.good("claims", alg + ", title alone, no exp", key, self.claims(key, body=..., exp=...))
            self.good("claims", alg + ", loc_body alone", key, self.claims(key, title=..., body=..., loc_body={"key": "k", "args": {}}))
            self.good("padding", alg + ", bucket", key, spec={"pad": "bucket"})
            self.good("padding", alg + ", full", key, spec={"pad": "full", "limit": 1200})
            self.good("rendering", alg + ", FCM", key, spec={"rendering": "fcm", "aps": ...})
        self.good("cid", "64 characters of punctuation and capitals", self.punctuation)
        for n, about in ((10, "one ahead"), (521, "512 ahead"), (6, "older, held"), (8, "between two held")):
            self.good("epoch", "dir, " + about, self.stair, n=n)
        for n, about in ((13, "one ahead"), (524, "512 ahead"), (7, "older, held"), (9, "between two held")):
            self.good("epoch", "HPKE-7, " + about, self.ladder, n=n)
        self.good("epoch", "65535 held", self.summit)
        self.good("epoch", "65535, 512 ahead", self.foothill, n=65535)
        k = self.river
        orders = self.header(k)
        backwards = dict(reversed(list(orders.items())))
        self.push("header", "members in another order", "opened", self.jwe(k, header=backwards))
        spaced = ("\n{ \"alg\" :\t\"dir\" , \"enc\":\"A256GCM\", \"kid\":\"%s\",\r\"typ\":\"wax1\" } " % k.kid()).encode()
        self.push("header", "white space", "opened", self.jwe(k, header=spaced))
        escaped = ("{\"\\u0061lg\":\"\\u0064ir\",\"enc\":\"A256GCM\",\"kid\":\"%s\",\"typ\":\"wax1\"}" % k.kid()).encode()
        self.push("header", "escapes in name and value", "opened", self.jwe(k, header=escaped))
        h = self.harbour
        hb = dict(reversed(list(self.header(h).items())))
        self.push("header", "HPKE-7, members in another order", "opened", self.jwe(h, header=hb))
        text = compact(self.claims(k))
        for about, data in (
            ("white space everywhere", text.replace(",\"", " ,\r\n\t\"")),
            ("white space in front", " \n" + text), ("tabs and line feeds after", text + "\t\r\n "),
            ("unknown claims", text[:-1] + ',"iss":"x","aud":[1],"NBF":1,"x":{"nbf":1},"n":1e400,"m":-0.0}'),
            ("names that differ in normalisation", text[:-1] + ',"\u00e9":1,"e\u0301":2}'),
            ("16 deep", text[:-1] + ',"x":' + "[" * 15 + "]" * 15 + "}"),
            ("unknown member of image", text[:-1] + ',"image":{"url":"https://a","width":1,"sha512":null}}'),
            ("unknown member of loc_body", text[:-1] + ',"loc_body":{"key":"k","args":{},"plural":true}}'),
            ("escaped claim name", text.replace('"title"', '"\\u0074itle"')),
        ):
            claims = text.replace(text[8:30], self.random.text(16))
            data = data.replace(text[8:30], claims[8:30])
            self.push("claims-form", about, "opened", self.jwe(k, data.encode("utf-8")))
        good = self.jwe(k)
        escaped_text = good.replace(".", "\\u002e").replace("_", "\\u005F")
        for about, data in (
            ("escapes in the value", '{"encrypted_payload":"%s"}' % escaped_text),
            ("escaped member name", '{"encrypted\\u005fpayload":"%s"}' % good),
            ("other members of any kind", '{"aps":7,"type":[],"body":null,"title":"x","encrypted_payload":"%s"}' % good),
            ("numbers no machine type holds", '{"n":[1e400,-0,%s],"encrypted_payload":"%s"}' % ("9" * 400, good)),
            ("16 deep beside it", '{"d":%s1%s,"encrypted_payload":"%s"}' % ("[" * 15, "]" * 15, good)),
        ):
            self.push("payload", about, "opened", data.encode("utf-8"))
        whole = self.bare(good)
        for size, limit in ((4096, 4096), (5120, 5120)):
            self.push("size", "%d of %d bytes" % (size, limit), "opened", whole + b" " * (size - len(whole)), env=self.env(limit=limit))
        for about, claims, now in (
            ("one second before exp", {"exp": NOW + 1}, NOW), ("no exp, last second of 31 days", {"exp": ..., "iat": NOW}, NOW + 31 * DAY - 1),
            ("iat 600 s ahead", {"iat": NOW + 600}, NOW), ("exp 31 days after iat", {"iat": NOW, "exp": NOW + 31 * DAY}, NOW),
        ):
            for key, alg in both:
                self.good("time", alg + ", " + about, key, self.claims(key, **claims), env=self.env(now=now))
        claims = self.claims(k)
        self.good("replay", "jti seen in another conversation", k, claims, env=self.env(seen=[["stair", claims["jti"]]]))
        claims = self.claims(k)
        unchecked = {"outcome": "opened", "content": ..., "replay_unchecked": True}
        seen = self.env(replay="unreadable", seen=[["river-7", claims["jti"]]])
        self.good("replay", "record unreadable", k, claims, env=seen, expect=unchecked)
        for key, lock in ((self.river, "locked"), (self.shelf, "locked"), (self.study, "unlocked"), (self.desk, "unlocked"), (self.harbour, "locked")):
            self.good("lock", "%s, %s" % (key.entry["accessible"], lock), key, env=self.env(lock=lock))
        self.good("state", "deactivated", self.meadow)
        late = self.env(now=NOW + DAY)
        self.good("state", "at open_until to the second", self.meadow, self.claims(self.meadow, exp=NOW + 2 * DAY), env=late)
        for ring, key, about in (
            ("split", self.split, "the one key"), ("split-two", self.split_before, "the predecessor's key"),
            ("split-mixed", self.split, "the readable key of two, locked"),
        ):
            env = self.env(lock="locked") if "locked" in about else self.env()
            self.push("split", about, unchecked, self.bare(self.split_fields("\u00a1Hola! \U0001F44B", key)), ring, env)
        self.push("split", "empty text", unchecked, self.bare(self.split_fields("")), "split")
        self.push("split", "at open_until to the second", unchecked, self.bare(self.split_fields("x")), "split", self.env(now=NOW + 90 * DAY))

    def sequences(self):
        self.file("sequence", "What one message or bundle leaves behind for the next")
        s, lad = self.stair, self.ladder

        def far(key, n, days):
            claims = self.claims(key, iat=NOW + days * DAY, exp=NOW + (days + 1) * DAY)
            return self.jwe(key, compact(claims).encode(), n=n)

        for key, top in ((s, 9), (lad, 12)):
            self.push("step", key.alg + ", kept: 512 ahead, then 512 more", "opened", self.jwe(key, n=top + 1024), before=[self.step(key, top + 512)])
            broken = self.jwe(key, n=top + 512, header=self.header(key, top + 511))
            self.push("step", key.alg + ", a forged one is not kept", "E-6-far", self.jwe(key, n=top + 513), before=[self.step(key, jwe=broken)])
            expired = self.jwe(key, compact(self.claims(key, exp=NOW)).encode(), n=top + 512)
            self.push("step", key.alg + ", an expired one is not kept", "E-6-far", self.jwe(key, n=top + 513), before=[self.step(key, jwe=expired)])
            bad = self.jwe(key, compact(self.claims(key, trunc=False)).encode(), n=top + 512)
            self.push("step", key.alg + ", one with bad claims is not kept", "E-6-far", self.jwe(key, n=top + 513), before=[self.step(key, jwe=bad)])
            self.push("step", key.alg + ", the one before still opens", "opened", self.jwe(key), before=[self.step(key, top + 5)])
            last = self.env(now=NOW + GRACE)
            self.push("step", key.alg + ", the one before, 35 days later to the second", "opened", far(key, top, 35), before=[self.step(key, top + 5)], env=last)
            over = self.env(now=NOW + GRACE + 1)
            self.push("step", key.alg + ", the one before, one second later", "E-8b-epoch", far(key, top, 35), before=[self.step(key, top + 5)], env=over)
            self.push("step", key.alg + ", the new one has no end", "opened", far(key, top + 5, 35), before=[self.step(key, top + 5)], env=over)
            self.push("step", key.alg + ", below the newest changes nothing", "E-6-far", self.jwe(key, n=top + 513), before=[self.step(key, top), self.step(key, top - 1)])
        later = self.env(now=NOW + 10 * DAY + 1)
        self.push("step", "a step ends when its handle does", "E-8b-handle", far(self.ending, 3, 10), "ending", later, [self.step(self.ending, 3)])
        self.push("step", "and so does the one before", "E-8b-epoch", far(self.ending, 0, 10), "ending", later, [self.step(self.ending, 3)])
        same = self.jwe(self.river)
        self.push("replay", "the same push again", "E-13-seen", same, before=[self.step(self.river, jwe=same)])
        unread = self.env(replay="unreadable")
        self.push("replay", "not remembered while the record is unreadable", "opened", same, before=[self.step(self.river, jwe=same, env=unread)])
        self.push("replay", "not remembered while locked", "opened", self.jwe(self.study), before=[self.step(self.study, env=self.env(lock="locked"))])
        one, two, three = self.first, self.second, self.third
        first_late = self.env(now=NOW + GRACE + 1)
        at_end = self.env(now=NOW + GRACE)
        self.push("retire", "an earlier handle, 35 days later to the second", "opened", far(one, 0, 35), "handles", at_end, [self.step(two)])
        self.push("retire", "an earlier handle, one second later", "E-8b-handle", far(one, 0, 35), "handles", first_late, [self.step(two)])
        self.push("retire", "a later handle stays", "opened", far(three, 0, 35), "handles", first_late, [self.step(two)])
        self.push("retire", "both earlier ones", "E-8b-handle", far(two, 0, 35), "handles", first_late, [self.step(three)])
        self.push("retire", "opening under the first retires none", "opened", far(two, 0, 35), "handles", first_late, [self.step(one)])
        again = self.env(now=NOW + 20 * DAY)
        second = {"env": again, "payload_b64": base64.b64encode(self.bare(far(two, 0, 20))).decode()}
        self.push("retire", "only the first opening counts", "E-8b-handle", far(one, 0, 35), "handles", first_late, [self.step(two), second])
        self.push("retire", "a refused message retires none", "opened", far(one, 0, 35), "handles", first_late, [self.step(two, jwe=self.jwe(two, aes_key=bytes(32)))])
        self.push("retire", "unchecked replay counts", "E-8b-handle", far(one, 0, 35), "handles", first_late, [self.step(two, env=unread)])
        self.push("retire", "an earlier end stays", "E-8b-handle", far(self.short, 0, 4), "handles", self.env(now=NOW + 3 * DAY + 1), [self.step(self.short_next)])
        self.push("retire", "suspended stays suspended", "E-8a-suspended", self.jwe(self.refused), "handles", before=[self.step(self.refused_next)])
        b, d = self.bundled, self.r1

        def given(*args, **more):
            return {"env": {"now": NOW, "lock": "unlocked"}, "bundle": w.seal_bundle(self.bundle(*args, **more))}

        fresh = Key(self.random, "delta", "dir")
        newcomer = Key(self.random, "newcomer", "HPKE-7")
        self.push("bundle", "installed, then a push", "opened", self.jwe(fresh), "bundles", before=[given(fresh)])
        self.push("bundle", "HPKE-7, installed, then a push", "opened", self.jwe(newcomer, header=self.header(newcomer, phone=b), phone=b), "bundles", before=[given(newcomer)])
        self.push("bundle", "before it the handle is unknown", "E-6-handle", self.jwe(fresh), "bundles")
        self.push("bundle", "an epoch above, then one below it", "opened", self.jwe(d), "bundles", before=[given(d, 7)])
        self.push("bundle", "far above the chain, taken as it is", "opened", self.jwe(d, n=1000), "bundles", before=[given(d, 1000)])
        bad = given(fresh, ephemeral=b64url(self.random.scalar()), seq=1000)
        self.push("bundle", "a replayed one installs nothing", "E-6-handle", self.jwe(fresh), "bundles", before=[bad])
        self.push("bundle", "an installed handle retires the one before once it opens", "E-8b-handle", far(d, 5, 35), "bundles", first_late, [given(fresh), self.step(fresh)])
        self.push("bundle", "installed alone retires nothing", "opened", far(d, 5, 35), "bundles", first_late, [given(fresh)])
        self.offer("bundle", "seq of an installed one is used up", "B-seq", w.seal_bundle(self.bundle(newcomer)), before=[given(fresh)])
        self.offer("bundle", "seq of a conflicting one is not", "installed", w.seal_bundle(self.bundle(newcomer)), before=[given(d, k=self.random.text(32))])
        low = Key(self.random, "low", "dir", 5, lowest=0)
        self.push("bundle", "below the newest, installed as an older one", "opened", self.jwe(low, n=3), "bundles", before=[given(low), given(low, 2, seq=1002)])
        self.push("bundle", "and not below that", "E-6-below", self.jwe(low, n=1), "bundles", before=[given(low), given(low, 2, seq=1002)])
        self.push("bundle", "an older one ends after 35 days", "E-8b-epoch", far(low, 3, 35), "bundles", first_late, [given(low), given(low, 2, seq=1002)])

    def derivations(self):
        self.file("derive", "The key schedule and thumbprints")
        for cid, steps in (("river-7", 0), ("river-7", 1), ("river-7", 512), ("!", 3), ("~" * 64, 7)):
            given = {"sub": cid, "k": self.random.text(32), "steps": steps}
            self.add("keys", "%d steps" % steps, {"outcome": "derived", "c": ..., "gcm_key": ..., "psk": ...}, kind="derive", derive=given)
        for phone in (self.phone, self.other_phone):
            self.add("dkid", "thumbprint", {"outcome": "derived", "dkid": ...}, kind="derive", derive={"jwk": phone.public})
        noisy = dict({"use": "enc", "kid": "ignored"}, **self.phone.public)
        self.add("dkid", "other members are ignored", {"outcome": "derived", "dkid": self.phone.dkid}, kind="derive", derive={"jwk": noisy})


def written(doc):
    """A ring and a case a line, so that a difference can be read."""
    head = {name: doc[name] for name in ("format", "set", "about", "count")}
    rings = ",\n".join("%s:%s" % (compact(name), compact(ring)) for name, ring in doc["rings"].items())
    cases = ",\n".join(map(compact, doc["cases"]))
    text = "%s,\n\"rings\":{\n%s\n},\n\"cases\":[\n%s\n]}\n" % (compact(head)[:-1], rings, cases)
    return w.ascii_json(text).encode("ascii")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--seed", default="waxwing vectors, first edition")
    ap.add_argument("folder", nargs="?", default=os.path.join(here, "..", "Vectors"))
    o = ap.parse_args()
    print("seed: %r" % o.seed)
    maker = Maker(o.seed)
    maker.make()
    # A stream of its own: what comes here changes no other file.
    attachments = attachment_vectors.Maker(Stream(o.seed + ", attachments")).make()
    made = [(name, doc["count"], written(doc)) for name, doc in maker.files.items()]
    made.append(("attachment", attachments.count, attachments.document()))
    own_forms = (
        ("enrollment", enrollment_vectors.Maker), ("sealer", sealer_vectors.Maker), ("at-rest", at_rest_vectors.AtRest),
        ("audit", audit_vectors.Audit), ("backup", backup_vectors.Maker))
    for name, vectors in own_forms:
        own = vectors(Stream("%s, %s" % (o.seed, name))).make()
        made.append((name, own.count, own.document()))
    differing, total = [], 0
    for name, count, data in made:
        path = os.path.join(o.folder, name + ".json")
        total += count
        print("%s.json: %d cases, %d bytes" % (name, count, len(data)))
        if o.check:
            with open(path, "rb") as f:
                if f.read() != data:
                    differing.append(name + ".json")
        else:
            with open(path, "wb") as f:
                f.write(data)
    for name in differing:
        print("%s is not what the seed gives" % name)
    print("%d cases in %d files" % (total, len(made)))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
