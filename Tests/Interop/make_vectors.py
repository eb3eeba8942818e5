#!/usr/bin/env python3
"""Make the project's own test vectors: make_vectors.py [--check] [--seed TEXT] [FOLDER]

Writes open-positive, open-negative, sequence, seal, bundle and derive .json in the format of docs/spec/cases.md, attachment.json
in that of docs/spec/attachment.md, at-rest.json and audit.json
in that of docs/spec/at-rest.md, and backup.json in that of docs/spec/backup.md, into FOLDER (Tests/Vectors if not given). Every key, name and text is made up from the seed, which is printed; the same seed gives the same
bytes. Each expected outcome is written down beside the flaw it belongs to, then the second implementation (waxwing.py,
opener.py) has to come to the same answer, or nothing is written. With --check nothing is written either: the files there are
compared with what would be made, and the exit status says whether they are the same.
"""

import argparse
import base64
import hashlib
import os
import sys

import answer_cases
import at_rest_vectors
import attachment_vectors
import audit_vectors
import backup_vectors
import waxwing as w
from waxwing import b64url, compact

NOW = 1900000000
DAY = 86400
GRACE = 35 * DAY
ALERT = {"alert": {"title": "Waxwing", "body": "Something arrived"}, "sound": "default"}
PLACEHOLDER = "Something arrived"


class Stream:
    """Bytes from a seed: SHA-256 over seed and counter. Good for made-up keys, and only for those."""

    def __init__(self, seed):
        self.seed, self.count = seed.encode("utf-8"), 0

    def take(self, length):
        out = b""
        while len(out) < length:
            out += hashlib.sha256(self.seed + b"/" + str(self.count).encode("ascii")).digest()
            self.count += 1
        return out[:length]

    def text(self, length):
        return b64url(self.take(length))

    def scalar(self):
        while True:
            candidate = self.take(32)
            if 0 < int.from_bytes(candidate, "big") < w.P256_ORDER:
                return candidate


class Phone:
    """A device and the ring that describes it in a case file."""

    def __init__(self, random, **more):
        self.scalar = random.scalar()
        self.public = w.public_jwk(w.point_of(w.private_key(self.scalar)))
        self.enrollment_secret = random.text(32)
        self.dkid = w.thumbprint(self.public)
        self.device = {"jwk": dict(self.public, d=b64url(self.scalar)), "enrollment_secret": self.enrollment_secret, **more}

    def ring(self, keys, **more):
        return {"device": self.device, "allow_split": False, "keys": keys, **more}


class Key:
    """A handle at a held epoch."""

    def __init__(self, random, cid, alg, epoch=0, **more):
        self.cid, self.alg, self.epoch = cid, alg, epoch
        self.handle = random.text(12)
        self.secrets = {}
        lowest = more.pop("lowest", epoch)
        secret = random.take(32)
        for n in range(lowest, epoch + 1):
            self.secrets[n] = secret
            secret = w.next_secret(secret, cid)
        self.entry = {
            "sub": cid, "jwe_alg": alg, "kid": self.kid(epoch), "k": self.k(epoch), "state": "active", "open_until": None,
            "accessible": "after-first-unlock", "older": [],
        }
        self.entry.update(more)

    def kid(self, n=None):
        return "%s.%d" % (self.handle, self.epoch if n is None else n)

    def secret(self, n=None):
        n = self.epoch if n is None else n
        base = max(m for m in self.secrets if m <= n)
        return w.stepped(self.secrets[base], self.cid, n - base)

    def k(self, n=None):
        return b64url(self.secret(n))

    def older(self, n, open_until):
        return {"kid": self.kid(n), "k": self.k(n), "open_until": open_until}


class Maker:
    def __init__(self, seed):
        self.random = Stream(seed)
        self.files = {}
        self.make_rings()

    # What is held

    def make_rings(self):
        r = self.random
        self.phone = Phone(r)
        self.other_phone = Phone(r)
        self.river = Key(r, "river-7", "dir")
        self.harbour = Key(r, "harbour-2", "HPKE-7")
        self.stair = Key(r, "stair", "dir", 9, lowest=3)
        self.stair.entry["older"] = [self.stair.older(6, NOW + 20 * DAY), self.stair.older(3, NOW - 1)]
        self.ladder = Key(r, "ladder", "HPKE-7", 12, lowest=7)
        self.ladder.entry["older"] = [self.ladder.older(7, NOW + 3 * DAY)]
        self.meadow = Key(r, "meadow", "dir", state="deactivated", open_until=NOW + DAY)
        self.attic = Key(r, "attic", "dir", state="deactivated", open_until=NOW - 1)
        self.attic_hpke = Key(r, "attic-2", "HPKE-7", state="active", open_until=NOW - 1)
        self.cellar = Key(r, "cellar", "dir", state="compromised")
        self.cellar_hpke = Key(r, "cellar-2", "HPKE-7", state="suspended", open_until=NOW - 1)
        self.porch = Key(r, "porch", "dir", state="suspended")
        self.study = Key(r, "study", "dir", accessible="when-unlocked")
        self.desk = Key(r, "desk", "HPKE-7", accessible="when-unlocked-this-device-only")
        self.shelf = Key(r, "shelf", "dir", accessible="after-first-unlock-this-device-only")
        self.summit = Key(r, "summit", "dir", 65535)
        self.foothill = Key(r, "foothill", "HPKE-7", 65023)
        self.punctuation = Key(r, "".join(map(chr, range(0x21, 0x61))), "dir")
        main = [
            self.river, self.harbour, self.stair, self.ladder, self.meadow, self.attic, self.attic_hpke, self.cellar,
            self.cellar_hpke, self.porch, self.study, self.desk, self.shelf, self.summit, self.foothill, self.punctuation,
        ]
        self.rings = {"main": self.phone.ring([k.entry for k in main]), "empty": self.phone.ring([])}
        guarded = Phone(r, accessible="when-unlocked")
        self.guarded, self.guarded_key = guarded, Key(r, "guarded", "HPKE-7")
        self.rings["device-when-unlocked"] = guarded.ring([self.guarded_key.entry])
        swapped = dict(self.river.entry, k=r.text(32))
        self.rings["other-bytes"] = self.phone.ring([swapped, dict(self.harbour.entry, k=r.text(32))])
        self.rings["other-device-key"] = self.other_phone.ring([self.harbour.entry])
        self.split, self.split_before = r.text(32), r.text(32)
        one = {"sub": "split-1", "k": self.split, "state": "active", "open_until": NOW + 90 * DAY, "accessible": "after-first-unlock"}
        two = dict(one, k=self.split_before, state="deactivated", open_until=NOW + DAY)

        def split(name, keys, allow=True):
            self.rings[name] = self.phone.ring([self.river.entry], allow_split=allow, split_keys=keys)

        split("split", [one])
        split("split-two", [one, two])
        split("split-none", [])
        split("split-off", [one], False)
        split("split-compromised", [dict(one, state="compromised")])
        split("split-suspended", [dict(one, state="suspended"), dict(two, state="compromised")])
        split("split-retired", [dict(one, open_until=NOW - 1)])
        split("split-locked", [dict(one, accessible="when-unlocked")])
        split("split-mixed", [one, dict(two, accessible="when-unlocked")])
        self.r1 = Key(r, "delta", "dir", 5, lowest=5)
        self.b1 = Key(r, "delta", "HPKE-7")
        self.gone = Key(r, "gone", "dir", state="compromised")
        self.slow = Key(r, "slow", "dir", 2, lowest=0, state="deactivated", open_until=NOW + 2 * DAY)
        self.bundled = Phone(r, last_seq=1000)
        keys = [self.r1.entry, self.b1.entry, self.gone.entry, self.slow.entry]
        self.rings["bundles"] = self.bundled.ring(keys, allow_split=True, split_keys=[one])
        self.bundled_guarded = Phone(r, last_seq=1000, accessible="when-unlocked")
        self.rings["bundles-when-unlocked"] = self.bundled_guarded.ring([])
        self.first, self.second, self.third = (Key(r, "trio", "dir") for _ in range(3))
        self.short = Key(r, "trio-short", "dir", open_until=NOW + 3 * DAY)
        self.short_next = Key(r, "trio-short", "dir")
        self.refused = Key(r, "trio-refused", "dir", state="suspended")
        self.refused_next = Key(r, "trio-refused", "dir")
        trio = (self.first, self.second, self.third, self.short, self.short_next, self.refused, self.refused_next)
        self.rings["handles"] = self.phone.ring([k.entry for k in trio])
        self.ending = Key(r, "ending", "dir", state="deactivated", open_until=NOW + 10 * DAY)
        self.rings["ending"] = self.phone.ring([self.ending.entry])

    # Building blocks

    def env(self, **more):
        return {"now": NOW, "lock": "unlocked", "seen": [], "replay": "ok", "limit": 4096, **more}

    def claims(self, key, **more):
        out = {"jti": self.random.text(16), "iat": NOW - 60, "exp": NOW + DAY, "sub": key.cid, "title": "Ana", "body": "See you at 6"}
        out.update(more)
        return {k: v for k, v in out.items() if v is not ...}

    def spec(self, key, claims, n=None, phone=None, **more):
        """The `seal` object of a case."""
        out = {
            "rendering": "apns", "alg": key.alg, "key": {"sub": key.cid, "kid": key.kid(n), "k": key.k(n)}, "claims": claims,
            "pad": "none", "limit": 4096, "type": "chat", "body": PLACEHOLDER, "aps": ALERT,
        }
        if key.alg == "dir":
            out["iv"] = self.random.text(12)
        else:
            out["device"] = (phone or self.phone).public
            out["ephemeral"] = b64url(self.random.scalar())
        out.update(more)
        return {k: v for k, v in out.items() if v is not ...}

    def header(self, key, n=None, phone=None, **changes):
        if key.alg == "dir":
            out = {"alg": "dir", "enc": "A256GCM", "kid": key.kid(n), "typ": "wax1"}
        else:
            psk_id = b64url(key.kid(n).encode("ascii"))
            out = {"alg": "HPKE-7", "kid": (phone or self.phone).dkid, "psk_id": psk_id, "typ": "wax1"}
        out.update(changes)
        return {k: v for k, v in out.items() if v is not ...}

    def jwe(self, key, plaintext=None, n=None, header=None, **use):
        """A compact string whose header and plaintext are exactly as given, authentic unless `use` says otherwise."""
        if plaintext is None:
            plaintext = compact(self.claims(key)).encode("utf-8")
        if header is None:
            header = compact(self.header(key, n)).encode("utf-8")
        elif isinstance(header, dict):
            header = compact(header).encode("utf-8")
        part = b64url(header)
        aad = use.get("aad", part.encode("ascii"))
        if key.alg == "dir":
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
            iv = self.random.take(use.get("iv_length", 12))
            sealed = AESGCM(use.get("aes_key") or w.gcm_key(key.secret(n), key.cid)).encrypt(iv, plaintext, aad)
            return ".".join((part, "", b64url(iv), b64url(sealed[:-16]), b64url(sealed[-16:])))
        enc, sealed = w.hpke_seal(
            w.public_bytes((use.get("phone") or self.phone).public), self.random.scalar(),
            use.get("psk", w.preshared_key(key.secret(n), key.cid)), use.get("psk_id", key.kid(n).encode("ascii")),
            aad, plaintext, use.get("info", b""), use.get("mode", w.MODE_PSK))
        return ".".join((part, b64url(enc), "", b64url(sealed), ""))

    def bare(self, sealed):
        """The smallest payload there is around an `encrypted_payload`."""
        return compact({"encrypted_payload": sealed}).encode("utf-8")

    def split_fields(self, text, key=None, aad=None):
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        nonce = self.random.take(12)
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        sealed = AESGCM(w.unb64url(key or self.split)).encrypt(nonce, data, aad)
        parts = {"ciphertext": sealed[:-16], "nonce": nonce, "tag": sealed[-16:]}
        return {k: base64.b64encode(v).decode("ascii") for k, v in parts.items()}

    def file(self, name, about):
        self.current = {"format": "waxwing-cases/1", "set": "own", "about": about, "count": 0, "rings": {}, "cases": []}
        self.files[name], self.name, self.numbers = self.current, name, {}

    def add(self, group, about, expect, **members):
        number = self.numbers[group] = self.numbers.get(group, 0) + 1
        case = {"id": "w-%s-%s-%03d" % (self.name, group, number), "group": group, "about": about, **members}
        if isinstance(expect, str):
            expect = {"outcome": expect}
        ring = case.get("ring")
        if ring:
            self.current["rings"][ring] = self.rings[ring]
        answer = answer_cases.answer(case, self.rings)
        got = {k: v for k, v in answer.items() if k not in ("id", "payload_b64")}
        if "kind" in case or "seal" not in case:
            got = {k: v for k, v in answer.items() if k != "id"}
        elif answer["payload_b64"] != case["payload_b64"]:
            raise SystemExit("%s (%s): sealing again gives other bytes" % (case["id"], about))
        for name, value in expect.items():
            if value is not ... and got.get(name) != value:
                raise SystemExit("%s (%s): %s is %s, expected %s" % (case["id"], about, name, got.get(name), value))
        if set(got) - set(expect) - {"content", "before"}:
            raise SystemExit("%s (%s): not foreseen: %s" % (case["id"], about, set(got) - set(expect)))
        case["expect"] = got
        self.current["cases"].append(case)
        self.current["count"] += 1

    def good(self, group, about, key, claims=None, n=None, ring="main", env=None, spec=None, phone=None, expect=None):
        """A push that opens, and that sealing again gives byte for byte."""
        seal = self.spec(key, claims or self.claims(key), n, phone, **(spec or {}))
        payload = w.seal_payload(seal)
        self.add(
            group, about, expect or {"outcome": "opened", "content": ...}, ring=ring, env=env or self.env(),
            payload_b64=base64.b64encode(payload).decode("ascii"), seal=seal)

    def push(self, group, about, outcome, payload, ring="main", env=None, before=None):
        if isinstance(payload, str):
            payload = self.bare(payload)
        members = {"ring": ring, "env": env or self.env()}
        expect = outcome if isinstance(outcome, dict) else {"outcome": outcome}
        if before:
            members["before"] = before
            expect = dict(expect, before=...)
        if expect["outcome"] == "opened":
            expect = dict({"content": ...}, **expect)
        self.add(group, about, expect, **members, payload_b64=base64.b64encode(payload).decode("ascii"))

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

    def open_negative(self):
        self.file("open-negative", "One flaw each, with the outcome it must have")
        k, h = self.river, self.harbour
        good, hgood = self.jwe(k), self.jwe(h)
        whole = self.bare(good)
        self.push("size", "one byte over", "too-large", whole + b" " * (4097 - len(whole)))
        self.push("size", "too large and not JSON", "too-large", b"[" * 4097)
        body = '{"encrypted_payload":"%s"}' % good
        for about, data in (
            ("empty", b""), ("white space alone", b" \n"), ("cut", body[:-5].encode()), ("a second value", (body + "{}").encode()),
            ("NUL after", body.encode() + b"\0"), ("byte order mark", b"\xef\xbb\xbf" + body.encode()), ("UTF-16", body.encode("utf-16-le")),
            ("trailing comma", (body[:-1] + ",}").encode()), ("comment", ("/**/" + body).encode()), ("single quotes", body.replace('"', "'").encode()),
            ("NaN", b'{"a":NaN,' + body[1:].encode()), ("Infinity", b'{"a":-Infinity,' + body[1:].encode()), ("leading zero", b'{"a":01,' + body[1:].encode()),
            ("number ending in a dot", b'{"a":1.,' + body[1:].encode()), ("raw line feed in a string", b'{"a":"\n",' + body[1:].encode()),
            ("unknown escape", b'{"a":"\\x",' + body[1:].encode()), ("lone surrogate", b'{"a":"\\ud800",' + body[1:].encode()),
            ("surrogates the wrong way round", b'{"a":"\\udc00\\ud800",' + body[1:].encode()), ("surrogate as UTF-8", b'{"a":"\xed\xa0\x80",' + body[1:].encode()),
            ("overlong UTF-8", b'{"a":"\xc0\xaf",' + body[1:].encode()), ("byte 0xFF", b'{"a":"\xff",' + body[1:].encode()),
            ("17 deep", b'{"a":' + b"[" * 16 + b"]" * 16 + b"," + body[1:].encode()), ("a name twice", b'{"a":1,"\\u0061":1,' + body[1:].encode()),
            ("encrypted_payload twice, good one last", b'{"encrypted_payload":"",' + body[1:].encode()),
            ("a name twice further in", b'{"a":{"b":1,"b":1},' + body[1:].encode()), ("an array", ("[" + body + "]").encode()), ("null", b"null"),
            ("a string", b'"x"'), ("very deep", b"[" * 3000 + b"]" * 1000),
            ("form feed after", body.encode() + b"\f"), ("a number as a name", b'{1:2,' + body[1:].encode()),
        ):
            self.push("json-payload", about, "malformed", data)
        for about, data in (("plain alert", b'{"aps":{"alert":"x"}}'), ("empty object", b"{}"), ("in capitals", body.replace("encrypted", "Encrypted").encode())):
            self.push("not-sealed", about, "not-sealed", data)
        for about, value in (("null", None), ("false", False), ("a number", 1), ("an array", [good])):
            self.push("kind", "encrypted_payload is " + about, "malformed", self.bare(value))
        parts = good.split(".")
        hparts = hgood.split(".")

        def with_part(p, i, value):
            return ".".join(p[:i] + [value] + p[i + 1:])

        for about, text in (
            ("empty", ""), ("four parts", good.rsplit(".", 1)[0]), ("six parts", good + "."), ("a space in front", " " + good),
            ("a line feed after", good + "\n"), ("full-width dots", good.replace(".", "\uff0e")), ("HPKE-7, four parts", hgood[:-1]),
        ):
            self.push("parts", about, "malformed", text)
        for i, name in ((0, "header"), (2, "iv"), (3, "ciphertext"), (4, "tag")):
            for about, value in (
                ("padding", parts[i] + "="), ("standard alphabet", "+" + parts[i][1:]), ("a space inside", parts[i][:4] + " " + parts[i][5:]),
                ("a lone last character", parts[i] + "A" * (1 + (-len(parts[i]) % 4))), ("a letter outside ASCII", "\u212a" + parts[i][1:]),
            ):
                if name == "iv" and about == "padding":
                    value = parts[i] + "===="
                self.push("base64", "%s: %s" % (name, about), "malformed", with_part(parts, i, value))
        for p, i, name in ((parts, 4, "tag"), (hparts, 1, "encapsulated key")):
            value = p[i]
            spare = w.b64url(w.unb64url(value))[:-1]
            alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            self.push("base64", name + ": unused bits set", "malformed", with_part(p, i, spare + alphabet[alphabet.index(value[-1]) + 1]))
        raw = compact(self.header(k))
        for about, data in (
            ("empty", b""), ("an array", b"[]"), ("a member twice", (raw[:-1] + ',"typ":"wax1"}').encode()), ("cut", raw[:-1].encode()),
            ("byte order mark", b"\xef\xbb\xbf" + raw.encode()), ("something after", raw.encode() + b"x"), ("trailing comma", (raw[:-1] + ",}").encode()),
            ("17 deep", (raw[:-1] + ',"x":' + "[" * 16 + "]" * 16 + "}").encode()),
        ):
            self.push("json-header", about, "malformed", self.jwe(k, header=data))
        for about, changes, outcome in (
            ("alg absent", {"alg": ...}, "malformed"), ("kid absent", {"kid": ...}, "malformed"), ("typ absent", {"typ": ...}, "unsupported"),
            ("typ in capitals", {"typ": "WAX1"}, "unsupported"), ("typ of a bundle", {"typ": "wax1-key"}, "unsupported"),
            ("alg unknown", {"alg": "A256KW"}, "unsupported"), ("alg none", {"alg": "none"}, "unsupported"), ("alg in capitals", {"alg": "DIR"}, "unsupported"),
            ("alg HPKE-0", {"alg": "HPKE-0"}, "unsupported"), ("enc A128GCM", {"enc": "A128GCM"}, "unsupported"), ("enc absent", {"enc": ...}, "malformed"),
            ("zip", {"zip": "DEF"}, "malformed"), ("crit as a string", {"crit": "exp"}, "malformed"), ("crit", {"crit": ["exp"]}, "malformed"),
            ("jwk", {"jwk": {}}, "malformed"), ("an unknown member", {"x": ""}, "malformed"), ("kid a number", {"kid": 1}, "malformed"),
            ("psk_id beside dir", {"psk_id": "QQ"}, "malformed"), ("enc null", {"enc": None}, "malformed"),
            ("typ other and a member too many", {"typ": "JWT", "x": ""}, "unsupported"), ("enc other and a member too many", {"enc": "A256CBC-HS512", "x": ""}, "unsupported"),
        ):
            self.push("header", "dir, " + about, outcome, self.jwe(k, header=self.header(k, **changes)))
        for about, changes, outcome in (
            ("psk_id absent", {"psk_id": ...}, "malformed"), ("enc beside it", {"enc": "A256GCM"}, "malformed"), ("typ absent", {"typ": ...}, "unsupported"),
            ("psk_id not base64url", {"psk_id": "a+b"}, "malformed"), ("psk_id the plain KID", {"psk_id": h.kid()}, "malformed"),
            ("psk_id of the handle alone", {"psk_id": b64url(h.handle.encode())}, "malformed"), ("psk_id of enroll", {"psk_id": b64url(b"enroll")}, "malformed"),
            ("DKID of 42 characters", {"kid": self.phone.dkid[:-1]}, "malformed"), ("DKID with unused bits", {"kid": self.phone.dkid[:-1] + "B"}, "malformed"),
            ("DKID of another device", {"kid": self.other_phone.dkid}, "unknown-key"), ("ek member", {"ek": hparts[1]}, "malformed"),
            ("psk_id of epoch 65536", {"psk_id": b64url((h.handle + ".65536").encode())}, "malformed"),
        ):
            self.push("header", "HPKE-7, " + about, outcome, self.jwe(h, header=self.header(h, **changes)))
        for kid in ("", "x", k.handle, k.handle + ".", k.handle + ".00", k.handle + ".01", k.handle + ".+1", k.handle + ".-0", k.handle + ".65536",
                    k.handle + ".0 ", k.handle[:-1] + ".0", k.handle + "A.0", k.handle[:-1] + "=.0", k.handle + ".\u0661", k.handle + ".0.0"):
            self.push("kid", "dir, kid " + ascii(kid.replace(k.handle, "HANDLE")), "malformed", self.jwe(k, header=self.header(k, kid=kid)))
        for about, text in (
            ("dir with an encrypted key", with_part(parts, 1, "AAAA")), ("iv of 11 bytes", with_part(parts, 2, b64url(bytes(11)))),
            ("iv of 16 bytes", self.jwe(k, iv_length=16)), ("iv empty", with_part(parts, 2, "")), ("tag of 15 bytes", with_part(parts, 4, b64url(bytes(15)))),
            ("tag of 17 bytes", with_part(parts, 4, b64url(bytes(17)))), ("tag empty", with_part(parts, 4, "")),
            ("HPKE-7 with an iv", with_part(hparts, 2, b64url(bytes(12)))), ("HPKE-7 with a tag", with_part(hparts, 4, b64url(bytes(16)))),
            ("HPKE-7 ciphertext of 15 bytes", with_part(hparts, 3, b64url(bytes(15)))), ("compressed point", with_part(hparts, 1, b64url(b"\x02" + w.unb64url(hparts[1])[1:33]))),
            ("point of 64 bytes", with_part(hparts, 1, b64url(w.unb64url(hparts[1])[1:]))), ("hybrid point", with_part(hparts, 1, b64url(b"\x06" + w.unb64url(hparts[1])[1:]))),
            ("point empty", with_part(hparts, 1, "")), ("point of 66 bytes", with_part(hparts, 1, b64url(w.unb64url(hparts[1]) + b"\0"))),
        ):
            self.push("length", about, "malformed", text)
        for about, point in (
            ("off the curve", b"\x04" + bytes(31) + b"\1" + bytes(31) + b"\1"), ("all zero", b"\x04" + bytes(64)), ("coordinates above the field", b"\x04" + b"\xff" * 64),
        ):
            self.push("point", about, "not-authentic", with_part(hparts, 1, b64url(point)))
        self.push("unknown", "handle", "unknown-key", good, "empty")
        self.push("unknown", "HPKE-7 handle", "unknown-key", hgood, "empty")
        self.push("unknown", "513 ahead", "unknown-key", self.jwe(self.stair, n=522))
        self.push("unknown", "HPKE-7, 513 ahead", "unknown-key", self.jwe(self.ladder, n=525))
        self.push("unknown", "below the lowest held", "unknown-key", self.jwe(self.ladder, n=7, header=self.header(self.ladder, 6)))
        crossed = Key(self.random, "ladder", "dir")
        crossed.handle = self.ladder.handle
        self.push("alg-of-key", "dir under an HPKE-7 key", "unsupported", self.jwe(crossed, n=12))
        crossed = Key(self.random, "river-7", "HPKE-7")
        crossed.handle = self.river.handle
        self.push("alg-of-key", "HPKE-7 under a dir key", "unsupported", self.jwe(crossed))
        for key, about, outcome, env in (
            (self.cellar, "compromised", "key-revoked", {}), (self.porch, "suspended", "key-revoked", {}),
            (self.cellar_hpke, "HPKE-7, suspended and past its time", "key-revoked", {}), (self.attic, "past open_until", "key-retired", {}),
            (self.attic_hpke, "HPKE-7, past open_until", "key-retired", {}), (self.meadow, "one second past open_until", "key-retired", {"now": NOW + DAY + 1}),
            (self.attic, "past open_until and locked", "key-retired", {"lock": "before-first-unlock"}), (self.study, "when-unlocked, locked", "key-locked", {"lock": "locked"}),
            (self.desk, "HPKE-7, when-unlocked-this-device-only, locked", "key-locked", {"lock": "locked"}),
            (self.river, "after-first-unlock, before first unlock", "key-locked", {"lock": "before-first-unlock"}),
            (self.shelf, "after-first-unlock-this-device-only, before first unlock", "key-locked", {"lock": "before-first-unlock"}),
        ):
            self.push("state", about, outcome, self.jwe(key), env=self.env(**env))
        self.push("state", "older epoch past its time", "key-retired", self.jwe(self.stair, n=3))
        self.push("state", "between a retired and a held epoch", "key-retired", self.jwe(self.stair, n=5))
        guarded = self.jwe(self.guarded_key, header=self.header(self.guarded_key, phone=self.guarded), phone=self.guarded)
        self.push("state", "device key locked", "key-locked", guarded, "device-when-unlocked", self.env(lock="locked"))

        def flipped(p, i, at, bit=1):
            data = bytearray(w.unb64url(p[i]))
            data[at] ^= bit
            return with_part(p, i, b64url(bytes(data)))

        for i, name in ((2, "iv"), (3, "ciphertext"), (4, "tag")):
            for at, where in ((0, "first"), (-1, "last")):
                self.push("tamper", "dir, %s byte of the %s" % (where, name), "not-authentic", flipped(parts, i, at))
        for i, at, about in ((1, 64, "point"), (3, 0, "ciphertext, first byte"), (3, -17, "ciphertext, last byte"), (3, -1, "tag"), (3, -16, "tag, first byte")):
            self.push("tamper", "HPKE-7, " + about, "not-authentic", flipped(hparts, i, at, 0x80))
        other, hother = self.jwe(k).split("."), self.jwe(h).split(".")
        for about, text in (
            ("iv of another message", with_part(parts, 2, other[2])), ("ciphertext and tag of another message", ".".join(parts[:3] + other[3:])),
            ("ciphertext cut by a byte", with_part(parts, 3, b64url(w.unb64url(parts[3])[:-1]))), ("ciphertext a byte longer", with_part(parts, 3, b64url(w.unb64url(parts[3]) + b"\0"))),
            ("ciphertext empty", with_part(parts, 3, "")), ("HPKE-7, point of another message", with_part(hparts, 1, hother[1])), ("HPKE-7, ciphertext of 16 bytes", with_part(hparts, 3, b64url(bytes(16)))),
            ("header reordered after sealing", with_part(parts, 0, b64url(compact(dict(reversed(list(self.header(k).items())))).encode()))),
            ("header spaced after sealing", with_part(hparts, 0, b64url(compact(self.header(h)).encode() + b" "))),
            ("another epoch's kid", self.jwe(self.stair, header=self.header(self.stair, 10))), ("another conversation's kid", self.jwe(k, header=self.header(self.stair))),
            ("HPKE-7, another epoch's psk_id", self.jwe(self.ladder, header=self.header(self.ladder, 13))),
        ):
            self.push("tamper", about, "not-authentic", text)
        self.push("wrong-key", "other bytes under the name", "not-authentic", good, "other-bytes")
        self.push("wrong-key", "HPKE-7, other bytes under the name", "not-authentic", hgood, "other-bytes")
        named = self.header(h, phone=self.other_phone)
        self.push("wrong-key", "HPKE-7, sealed to another device key", "not-authentic", self.jwe(h, header=named), "other-device-key")
        secret, cid = k.secret(), k.cid
        for about, key in (
            ("C_n itself", secret), ("P_n", w.preshared_key(secret, cid)), ("C_n+1", w.next_secret(secret, cid)),
            ("no zero byte before the conversation", w.hkdf_expand(secret, b"waxwing/1 A256GCM" + cid.encode(), 32)), ("label without version", w.hkdf_expand(secret, b"A256GCM\0" + cid.encode(), 32)),
            ("another conversation's label", w.gcm_key(secret, "stair")), ("extracted first", w.hkdf_expand(hashlib.sha256(secret).digest(), w.label("A256GCM", cid), 32)),
        ):
            self.push("derivation", "dir, sealed under " + about, "not-authentic", self.jwe(k, aes_key=key))
        hpsk = w.preshared_key(h.secret(), h.cid)
        for about, use in (
            ("base mode", {"mode": w.MODE_BASE, "psk": b"", "psk_id": b""}), ("C_n as psk", {"psk": h.secret()}), ("K_n as psk", {"psk": w.gcm_key(h.secret(), h.cid)}),
            ("an info", {"info": b"waxwing/1"}), ("the encoded psk_id", {"psk_id": b64url(h.kid().encode()).encode()}), ("the handle as psk_id", {"psk_id": h.handle.encode()}),
            ("no associated data", {"aad": b""}), ("the decoded header as associated data", {"aad": compact(self.header(h)).encode()}),
            ("the enrollment secret", {"psk": w.unb64url(self.phone.enrollment_secret), "psk_id": b"enroll"}), ("psk and psk_id swapped", {"psk": h.kid().encode(), "psk_id": hpsk}),
        ):
            self.push("derivation", "HPKE-7, sealed with " + about, "not-authentic", self.jwe(h, **use))
        self.push("derivation", "dir, sealed with no associated data", "not-authentic", self.jwe(k, aad=b""))
        text = compact(self.claims(k))
        for about, data in (
            ("empty", b""), ("spaces", b"   "), ("cut", text[:-1].encode()), ("an array", b"[]"), ("a string", b'"x"'), ("a letter after", text.encode() + b"  x"), ("NUL padding", text.encode() + bytes(4)),
            ("0x80 padding", text.encode() + b"\x80\0\0"), ("a second object after the spaces", text.encode() + b"   {}"), ("byte order mark", b"\xef\xbb\xbf" + text.encode()), ("UTF-16", text.encode("utf-16-le")),
            ("a claim twice", (text[:-1] + ',"body":"See you at 6"}').encode()), ("a claim twice, once escaped", (text[:-1] + ',"\\u0073ub":"river-7"}').encode()),
            ("17 deep", (text[:-1] + ',"x":' + "[" * 16 + "]" * 16 + "}").encode()), ("byte 0xFF", text.encode().replace(b"Ana", b"\xff")), ("lone surrogate", text.replace("Ana", "\\udfff").encode()),
            ("raw tab in a string", text.replace("Ana", "\t").encode()), ("a twin further in", (text[:-1] + ',"data":{"a":{"b":1,"b":2}}}').encode()), ("no-break space padding", (text + "\u00a0").encode()),
        ):
            self.push("json-claims", about, "bad-claims", self.jwe(k, data))
        img = {"url": "https://a"}
        for about, changes in (
            ("jti absent", {"jti": ...}), ("jti of 15 bytes", {"jti": b64url(bytes(15))}), ("jti of 17 bytes", {"jti": b64url(bytes(17))}), ("jti with unused bits", {"jti": "A" * 21 + "B"}), ("jti a number", {"jti": 1}),
            ("iat absent", {"iat": ...}), ("iat a string", {"iat": str(NOW)}), ("iat true", {"iat": True}), ("iat 1.0 form", {"iat": w.Raw("%d.0" % NOW)}), ("iat with exponent", {"iat": w.Raw("19e8")}),
            ("iat -0", {"iat": w.Raw("-0"), "exp": ...}), ("iat 2^53", {"iat": w.Raw(str(2**53)), "exp": ...}), ("exp null", {"exp": None}), ("exp equal to iat", {"exp": NOW - 60}), ("exp before iat", {"exp": 1}),
            ("exp one second past 31 days", {"exp": NOW - 60 + 31 * DAY + 1}), ("exp a fraction", {"exp": w.Raw("%d.5" % NOW)}), ("sub absent", {"sub": ...}), ("sub of another conversation", {"sub": "stair"}),
            ("sub a little longer", {"sub": "river-7 "}), ("sub in capitals", {"sub": "RIVER-7"}), ("title null", {"title": None}), ("title a number", {"title": 1}), ("subtitle an array", {"subtitle": []}), ("body true", {"body": True}),
            ("nothing to show", {"title": ..., "body": ..., "subtitle": "x"}), ("loc_title a string", {"loc_title": "x"}), ("loc_body without args", {"loc_body": {"key": "k"}}), ("loc_body without key", {"loc_body": {"args": {}}}),
            ("loc_body args an array", {"loc_body": {"key": "k", "args": []}}), ("loc_body arg a number", {"loc_body": {"key": "k", "args": {"n": 1}}}), ("thread empty", {"thread": ""}), ("thread of 65 bytes", {"thread": "t" * 65}),
            ("category of 65 bytes", {"category": "\u00df" * 32 + "s"}), ("category null", {"category": None}), ("image a string", {"image": "https://a"}), ("image http", {"image": {"url": "http://a"}}), ("image https in capitals", {"image": {"url": "HTTPS://a"}}),
            ("image url of the scheme alone", {"image": {"url": "https://"}}), ("image url with a space", {"image": {"url": "https://a b"}}), ("image url outside ASCII", {"image": {"url": "https://\u00e9"}}),
            ("image sha256 of 31 bytes", {"image": dict(img, sha256=b64url(bytes(31)))}), ("image sha256 in hexadecimal", {"image": dict(img, sha256="0" * 64)}), ("image key null", {"image": dict(img, key=None)}),
            ("data an array", {"data": []}), ("data null", {"data": None}), ("trunc false", {"trunc": False}), ("trunc 1", {"trunc": 1}), ("nbf", {"nbf": NOW - 60}), ("nbf null", {"nbf": None}),
        ):
            self.push("claims", about, "bad-claims", self.jwe(k, compact(self.claims(k, **changes)).encode("utf-8")))
        self.push("claims", "HPKE-7, sub of another conversation", "bad-claims", self.jwe(h, compact(self.claims(k)).encode()))
        for about, changes, now, outcome in (
            ("now is exp", {"exp": NOW}, NOW, "expired"), ("one second past exp", {"exp": NOW - 1}, NOW, "expired"), ("no exp, 31 days over", {"exp": ..., "iat": NOW}, NOW + 31 * DAY, "expired"),
            ("iat 601 s ahead", {"iat": NOW + 601}, NOW, "not-yet-valid"), ("iat in milliseconds", {"iat": NOW * 1000, "exp": ...}, NOW, "not-yet-valid"),
        ):
            for key in (k, h):
                self.push("time", "%s, %s" % (key.alg, about), outcome, self.jwe(key, compact(self.claims(key, **changes)).encode()), env=self.env(now=now))
        for key in (k, h):
            claims = self.claims(key)
            self.push("replay", key.alg + ", jti seen", "duplicate", self.jwe(key, compact(claims).encode()), env=self.env(seen=[[key.cid, claims["jti"]]]))
        claims = self.claims(k, exp=NOW)
        self.push("order", "expired before duplicate", "expired", self.jwe(k, compact(claims).encode()), env=self.env(seen=[[k.cid, claims["jti"]]]))
        self.push("order", "not authentic before expired", "not-authentic", flipped(parts, 4, 3), env=self.env(now=NOW + 90 * DAY))
        self.push("order", "retired before not authentic", "key-retired", with_part(self.jwe(self.attic).split("."), 4, parts[4]))
        self.push("order", "locked before not authentic", "key-locked", with_part(self.jwe(self.study).split("."), 4, parts[4]), env=self.env(lock="locked"))
        self.push("order", "bad claims before expired", "bad-claims", self.jwe(k, compact(self.claims(k, exp=NOW, trunc=False)).encode()))
        self.split_negative()

    def split_negative(self):
        good = self.split_fields("Hello")
        for ring, about, outcome, env in (
            ("split-off", "not allowed", "unsupported", {}), ("main", "not allowed, no key", "unsupported", {}), ("split-none", "no key", "unknown-key", {}), ("split-compromised", "compromised", "key-revoked", {}),
            ("split-suspended", "one suspended, one compromised", "key-revoked", {}), ("split-retired", "past its time", "key-retired", {}), ("split-locked", "locked", "key-locked", {"lock": "locked"}),
            ("split", "one second past open_until", "key-retired", {"now": NOW + 90 * DAY + 1}), ("split", "before first unlock", "key-locked", {"lock": "before-first-unlock"}),
        ):
            self.push("split", about, outcome, self.bare(good), ring, self.env(**env))
        self.push("split", "not allowed and not looked at", "unsupported", self.bare({}), "split-off")
        for about, value in (
            ("no members", {}), ("tag absent", {k: v for k, v in good.items() if k != "tag"}), ("a member too many", dict(good, kid="x")), ("nonce null", dict(good, nonce=None)),
            ("tag without padding", dict(good, tag=good["tag"].rstrip("="))), ("tag in the URL alphabet", dict(good, tag="_" + good["tag"][1:])), ("nonce of 16 bytes", dict(good, nonce=base64.b64encode(bytes(16)).decode())),
            ("tag of 12 bytes", dict(good, tag=base64.b64encode(bytes(12)).decode())), ("a line feed after", dict(good, tag=good["tag"] + "\n")), ("unused bits", dict(good, tag="A" * 21 + "B==")),
        ):
            self.push("split", about, "malformed", self.bare(value), "split")
        self.push("split", "another key", "not-authentic", self.bare(self.split_fields("x", self.random.text(32))), "split")
        self.push("split", "associated data", "not-authentic", self.bare(self.split_fields("x", aad=b"a")), "split")
        self.push("split", "K_n of the conversation", "not-authentic", self.bare(self.split_fields("x", b64url(w.gcm_key(self.river.secret(), "river-7")))), "split")
        self.push("split", "wax1 under the split key", "not-authentic", self.jwe(self.river, aes_key=w.unb64url(self.split)), "split")
        self.push("split", "the locked one of two", "key-locked", self.bare(self.split_fields("x", self.split_before)), "split-mixed", self.env(lock="locked"))
        self.push("split", "not UTF-8", "bad-claims", self.bare(self.split_fields(b"\xff")), "split")

    def step(self, key, n=None, env=None, jwe=None, phone=None):
        jwe = jwe or self.jwe(key, n=n, header=self.header(key, n, phone), phone=phone)
        return {"env": env or self.env(), "payload_b64": base64.b64encode(self.bare(jwe)).decode("ascii")}

    def bundle(self, key, n=None, seq=1001, phone=None, **changes):
        phone = phone or self.bundled
        request = {
            "device": phone.public, "enrollment_secret": phone.enrollment_secret, "sub": key.cid, "jwe_alg": key.alg, "kid": key.kid(n), "k": key.k(n),
            "seq": seq, "iat": NOW - 60, "exp": NOW + 7 * DAY, "accessible": "after-first-unlock", "ephemeral": b64url(self.random.scalar()),
        }
        request.update(changes)
        return request

    def offer(self, group, about, outcome, text, ring="bundles", env=None, before=None):
        members = {"kind": "bundle", "ring": ring, "env": env or {"now": NOW, "lock": "unlocked"}, "bundle": text}
        expect = {"outcome": outcome}
        if outcome == "installed":
            expect["key"] = ...
        if before:
            members["before"] = before
            expect["before"] = ...
        self.add(group, about, expect, **members)

    def sequences(self):
        self.file("sequence", "What one message or bundle leaves behind for the next")
        s, lad = self.stair, self.ladder

        def far(key, n, days):
            claims = self.claims(key, iat=NOW + days * DAY, exp=NOW + (days + 1) * DAY)
            return self.jwe(key, compact(claims).encode(), n=n)

        for key, top in ((s, 9), (lad, 12)):
            self.push("step", key.alg + ", kept: 512 ahead, then 512 more", "opened", self.jwe(key, n=top + 1024), before=[self.step(key, top + 512)])
            broken = self.jwe(key, n=top + 512, header=self.header(key, top + 511))
            self.push("step", key.alg + ", a forged one is not kept", "unknown-key", self.jwe(key, n=top + 513), before=[self.step(key, jwe=broken)])
            expired = self.jwe(key, compact(self.claims(key, exp=NOW)).encode(), n=top + 512)
            self.push("step", key.alg + ", an expired one is not kept", "unknown-key", self.jwe(key, n=top + 513), before=[self.step(key, jwe=expired)])
            bad = self.jwe(key, compact(self.claims(key, trunc=False)).encode(), n=top + 512)
            self.push("step", key.alg + ", one with bad claims is not kept", "unknown-key", self.jwe(key, n=top + 513), before=[self.step(key, jwe=bad)])
            self.push("step", key.alg + ", the one before still opens", "opened", self.jwe(key), before=[self.step(key, top + 5)])
            last = self.env(now=NOW + GRACE)
            self.push("step", key.alg + ", the one before, 35 days later to the second", "opened", far(key, top, 35), before=[self.step(key, top + 5)], env=last)
            over = self.env(now=NOW + GRACE + 1)
            self.push("step", key.alg + ", the one before, one second later", "key-retired", far(key, top, 35), before=[self.step(key, top + 5)], env=over)
            self.push("step", key.alg + ", the new one has no end", "opened", far(key, top + 5, 35), before=[self.step(key, top + 5)], env=over)
            self.push("step", key.alg + ", below the newest changes nothing", "unknown-key", self.jwe(key, n=top + 513), before=[self.step(key, top), self.step(key, top - 1)])
        later = self.env(now=NOW + 10 * DAY + 1)
        self.push("step", "a step ends when its handle does", "key-retired", far(self.ending, 3, 10), "ending", later, [self.step(self.ending, 3)])
        self.push("step", "and so does the one before", "key-retired", far(self.ending, 0, 10), "ending", later, [self.step(self.ending, 3)])
        same = self.jwe(self.river)
        self.push("replay", "the same push again", "duplicate", same, before=[self.step(self.river, jwe=same)])
        unread = self.env(replay="unreadable")
        self.push("replay", "not remembered while the record is unreadable", "opened", same, before=[self.step(self.river, jwe=same, env=unread)])
        self.push("replay", "not remembered while locked", "opened", self.jwe(self.study), before=[self.step(self.study, env=self.env(lock="locked"))])
        one, two, three = self.first, self.second, self.third
        first_late = self.env(now=NOW + GRACE + 1)
        at_end = self.env(now=NOW + GRACE)
        self.push("retire", "an earlier handle, 35 days later to the second", "opened", far(one, 0, 35), "handles", at_end, [self.step(two)])
        self.push("retire", "an earlier handle, one second later", "key-retired", far(one, 0, 35), "handles", first_late, [self.step(two)])
        self.push("retire", "a later handle stays", "opened", far(three, 0, 35), "handles", first_late, [self.step(two)])
        self.push("retire", "both earlier ones", "key-retired", far(two, 0, 35), "handles", first_late, [self.step(three)])
        self.push("retire", "opening under the first retires none", "opened", far(two, 0, 35), "handles", first_late, [self.step(one)])
        again = self.env(now=NOW + 20 * DAY)
        second = {"env": again, "payload_b64": base64.b64encode(self.bare(far(two, 0, 20))).decode()}
        self.push("retire", "only the first opening counts", "key-retired", far(one, 0, 35), "handles", first_late, [self.step(two), second])
        self.push("retire", "a refused message retires none", "opened", far(one, 0, 35), "handles", first_late, [self.step(two, jwe=self.jwe(two, aes_key=bytes(32)))])
        self.push("retire", "unchecked replay counts", "key-retired", far(one, 0, 35), "handles", first_late, [self.step(two, env=unread)])
        self.push("retire", "an earlier end stays", "key-retired", far(self.short, 0, 4), "handles", self.env(now=NOW + 3 * DAY + 1), [self.step(self.short_next)])
        self.push("retire", "suspended stays suspended", "key-revoked", self.jwe(self.refused), "handles", before=[self.step(self.refused_next)])
        b, d = self.bundled, self.r1

        def given(*args, **more):
            return {"env": {"now": NOW, "lock": "unlocked"}, "bundle": w.seal_bundle(self.bundle(*args, **more))}

        fresh = Key(self.random, "delta", "dir")
        newcomer = Key(self.random, "newcomer", "HPKE-7")
        self.push("bundle", "installed, then a push", "opened", self.jwe(fresh), "bundles", before=[given(fresh)])
        self.push("bundle", "HPKE-7, installed, then a push", "opened", self.jwe(newcomer, header=self.header(newcomer, phone=b), phone=b), "bundles", before=[given(newcomer)])
        self.push("bundle", "before it the handle is unknown", "unknown-key", self.jwe(fresh), "bundles")
        self.push("bundle", "an epoch above, then one below it", "opened", self.jwe(d), "bundles", before=[given(d, 7)])
        self.push("bundle", "far above the chain, taken as it is", "opened", self.jwe(d, n=1000), "bundles", before=[given(d, 1000)])
        bad = given(fresh, ephemeral=b64url(self.random.scalar()), seq=1000)
        self.push("bundle", "a replayed one installs nothing", "unknown-key", self.jwe(fresh), "bundles", before=[bad])
        self.push("bundle", "an installed handle retires the one before once it opens", "key-retired", far(d, 5, 35), "bundles", first_late, [given(fresh), self.step(fresh)])
        self.push("bundle", "installed alone retires nothing", "opened", far(d, 5, 35), "bundles", first_late, [given(fresh)])
        self.offer("bundle", "seq of an installed one is used up", "replayed", w.seal_bundle(self.bundle(newcomer)), before=[given(fresh)])
        self.offer("bundle", "seq of a conflicting one is not", "installed", w.seal_bundle(self.bundle(newcomer)), before=[given(d, k=self.random.text(32))])
        low = Key(self.random, "low", "dir", 5, lowest=0)
        self.push("bundle", "below the newest, installed as an older one", "opened", self.jwe(low, n=3), "bundles", before=[given(low), given(low, 2, seq=1002)])
        self.push("bundle", "and not below that", "unknown-key", self.jwe(low, n=1), "bundles", before=[given(low), given(low, 2, seq=1002)])
        self.push("bundle", "an older one ends after 35 days", "key-retired", far(low, 3, 35), "bundles", first_late, [given(low), given(low, 2, seq=1002)])

    def seals(self):
        self.file("seal", "Exact bytes of sealed payloads, and what a sealer refuses")
        k, h = self.river, self.harbour

        def seal_object(held, claims, changes):
            whole = dict(self.spec(held, claims or self.claims(held)), **changes)
            return {name: value for name, value in whole.items() if value is not ...}

        def seal(group, about, held, claims=None, outcome="sealed", **spec):
            expect = {"outcome": outcome}
            if outcome == "sealed":
                expect["payload_b64"] = ...
            self.add(group, about, expect, kind="seal", seal=seal_object(held, claims, spec))

        for key in (k, h):
            a = key.alg
            seal("plain", a, key)
            seal("plain", a + ", claims given in reverse", key, dict(reversed(list(self.claims(key, subtitle="s", thread="t").items()))))
            seal("aps", a + ", every member, given in reverse", key, aps=dict(reversed(list({
                "alert": {"body": "b", "loc-key": "lk", "title": "t", "title-loc-key": "tlk"}, "sound": "ping.caf", "badge": 7, "category": "C",
                "thread-id": "th", "interruption-level": "active", "relevance-score": w.Raw("0.25")}.items()))))
            seal("fcm", a, key, rendering="fcm", aps=...)
            seal("fcm", a + ", image_url, full", key, rendering="fcm", aps=..., image_url="https://i.example/x", pad="full", limit=1000)
            for size in (255, 256, 257, 768, 2048) if a == "dir" else (256, 257):
                claims = self.claims(key)
                claims["body"] += "x" * (size - len(compact(claims)))
                seal("bucket", "%s, claims of %d bytes" % (a, size), key, claims, pad="bucket")
            seal("bucket", a + ", the next bucket does not fit", key, pad="bucket", limit=600 if a == "dir" else 760)
            for extra in range(3):
                seal("full", "%s, limit %d" % (a, 900 + extra), key, pad="full", limit=900 + extra)
            for name, unit in (("Japanese", "\u6c34"), ("family emoji", "\U0001F468\u200d\U0001F469\u200d\U0001F467"), ("flags", "\U0001F1EB\U0001F1EE"),
                               ("CRLF", "\r\n"), ("quotes", "\""), ("a letter with three marks", "a\u0300\u0301\u0302"), ("Hangul in jamo", "\u1112\u1161\u11ab"), ("controls", "\x01")):
                if a == "HPKE-7" and name not in ("Japanese", "quotes"):
                    continue
                seal("cut", "%s, body of %s" % (a, name), key, self.claims(key, body=unit * 160), pad="bucket", limit=800)
            seal("cut", a + ", one cluster larger than the room", key, self.claims(key, body="a" + "\u0300" * 300), limit=800)
            seal("no-fit", a + ", title too long", key, self.claims(key, title="t" * 900), "does-not-fit", limit=900)
            seal("no-fit", a + ", no body to cut", key, self.claims(key, title="t" * 900, body=...), "does-not-fit", limit=900)
            seal("no-fit", a + ", limit of 100", key, outcome="does-not-fit", limit=100)
        seal("image-url", "in the clear, APNs", k, image_url="https://i.example/x?a=b/c")
        seal("trunc", "given by the caller", k, self.claims(k, trunc=True))
        seal("last-epoch", "65535", self.summit)
        self.add("split", "plain", {"outcome": "sealed", "payload_b64": ...}, kind="seal", seal=self.split_spec("caf\u00e9 \"x\""))
        self.add("split", "does not fit", "does-not-fit", kind="seal", seal=self.split_spec("x" * 4096))
        for about, spec in (
            ("type empty", {"type": ""}), ("type of 33 characters", {"type": "t" * 33}), ("type with a slash", {"type": "a/b"}), ("image_url http", {"image_url": "http://a"}), ("alg unknown", {"alg": "A256GCMKW"}),
            ("kid of epoch 65536", {"key": {"sub": k.cid, "kid": k.handle + ".65536", "k": k.k()}}), ("secret of 31 bytes", {"key": {"sub": k.cid, "kid": k.kid(), "k": b64url(bytes(31))}}),
        ):
            seal("bad-input", about, k, outcome="bad-input", **spec)
        for about, changes in (
            ("nothing to show", {"title": ..., "body": ...}), ("nbf", {"nbf": 1}), ("exp past 31 days", {"exp": NOW - 60 + 31 * DAY + 1}), ("jti of 8 bytes", {"jti": b64url(bytes(8))}), ("sub of another", {"sub": "stair"}),
            ("image http", {"image": {"url": "http://a"}}), ("thread empty", {"thread": ""}), ("trunc false", {"trunc": False}), ("data an array", {"data": []}),
        ):
            seal("bad-input", "claims: " + about, k, self.claims(k, **changes), "bad-input")

    def split_spec(self, text):
        return {
            "rendering": "apns", "alg": "split", "key": {"k": self.split}, "text": text, "iv": self.random.text(12), "limit": 4096, "type": "chat",
            "body": PLACEHOLDER, "aps": {"alert": {"title": "Waxwing", "body": PLACEHOLDER}},
        }

    def bundles(self):
        self.file("bundle", "Bundles sealed, offered, installed and refused")
        d, b = self.r1, self.bundled
        fresh = {alg: Key(self.random, "fresh-" + alg.lower(), alg) for alg in ("dir", "HPKE-7")}
        for alg, key in fresh.items():
            self.add("seal", alg, {"outcome": "sealed", "bundle": ...}, kind="bundle-seal", seal_bundle=self.bundle(key))
            for accessible in w.CLASSES:
                self.offer("good", "%s, %s" % (alg, accessible), "installed", w.seal_bundle(self.bundle(key, accessible=accessible)))
        key = fresh["dir"]
        for about, changes in (
            ("jwe_alg split", {"jwe_alg": "split"}), ("epoch 65536", {"kid": "A" * 16 + ".65536"}), ("exp at iat", {"exp": NOW - 60}), ("exp past 31 days", {"exp": NOW - 60 + 31 * DAY + 1}),
            ("accessible always", {"accessible": "always"}), ("k of 31 bytes", {"k": b64url(bytes(31))}), ("sub with a space", {"sub": "a b"}),
        ):
            self.add("seal-bad", about, "bad-input", kind="bundle-seal", seal_bundle=self.bundle(key, **changes))
        for about, changes in (("seq one above", {"seq": 1001}), ("seq far above", {"seq": 2**53 - 1}), ("31 days", {"exp": NOW - 60 + 31 * DAY}), ("iat 600 s ahead", {"iat": NOW + 600}), ("one second before exp", {"exp": NOW + 1})):
            self.offer("good", about, "installed", w.seal_bundle(self.bundle(key, **changes)))
        self.offer("good", "a known KID with the same bytes", "installed", w.seal_bundle(self.bundle(d)))
        self.offer("good", "an epoch above, on the chain", "installed", w.seal_bundle(self.bundle(d, 517)))
        self.offer("good", "an epoch 513 above, unchecked", "installed", w.seal_bundle(self.bundle(d, 518, k=self.random.text(32))))
        self.offer("good", "below the newest, on the chain", "installed", w.seal_bundle(self.bundle(self.slow, 0)))
        for about, changes, outcome in (
            ("seq the last one", {"seq": 1000}, "replayed"), ("seq 0", {"seq": 0}, "replayed"), ("now is exp", {"exp": NOW}, "expired"), ("iat 601 s ahead", {"iat": NOW + 601}, "not-yet-valid"),
        ):
            self.offer("refused", about, outcome, w.seal_bundle(self.bundle(key, **changes)))
        for about, request in (
            ("known KID, other bytes", self.bundle(d, k=self.random.text(32))), ("known KID, other conversation", self.bundle(d, sub="other")), ("known KID, other algorithm", self.bundle(d, jwe_alg="HPKE-7")),
            ("known handle, other conversation", self.bundle(d, 6, sub="other")), ("512 above and off the chain", self.bundle(d, 517, k=self.random.text(32))), ("below the newest and off the chain", self.bundle(self.slow, 1, k=self.random.text(32))),
            ("compromised handle", self.bundle(self.gone, 1)), ("the bytes of a split key", self.bundle(key, k=self.split)),
        ):
            self.offer("conflict", about, "conflict", w.seal_bundle(request))
        past = {"now": NOW + 3 * DAY, "lock": "unlocked"}
        self.offer("conflict", "handle past its open_until", "conflict", w.seal_bundle(self.bundle(self.slow, 3)), env=past)
        self.offer("refused", "device key locked", "key-locked", w.seal_bundle(self.bundle(key, phone=self.bundled_guarded)), "bundles-when-unlocked", {"now": NOW, "lock": "locked"})
        self.offer("refused", "for another device", "unknown-key", w.seal_bundle(self.bundle(key, phone=self.other_phone)))
        self.offer("refused", "another enrollment secret", "not-authentic", w.seal_bundle(self.bundle(key, enrollment_secret=self.random.text(32))))
        jwk = {name: self.bundle(key).get(name) for name in w.JWK_ORDER}
        jwk.update(kty="oct", use="enc")

        def raw(plaintext=None, changes=None, header=None, **use):
            if plaintext is None:
                plaintext = compact({k: v for k, v in dict(jwk, **(changes or {})).items() if v is not ...}).encode()
            part = b64url(compact({k: v for k, v in dict(
                {"alg": "HPKE-7", "kid": b.dkid, "psk_id": b64url(b"enroll"), "typ": "wax1-key"}, **(header or {})).items() if v is not ...}).encode())
            enc, sealed = w.hpke_seal(
                w.public_bytes(b.public), self.random.scalar(), use.get("psk", w.unb64url(b.enrollment_secret)), use.get("psk_id", b"enroll"),
                use.get("aad", part.encode()), plaintext, use.get("info", b""), use.get("mode", w.MODE_PSK))
            return ".".join((part, b64url(enc), "", b64url(sealed), ""))

        for about, use in (("base mode", {"mode": w.MODE_BASE, "psk": b"", "psk_id": b""}), ("an info", {"info": b"x"}), ("the encoded psk_id", {"psk_id": b64url(b"enroll").encode()}), ("no associated data", {"aad": b""})):
            self.offer("secret", "sealed with " + about, "not-authentic", raw(**use))
        for about, header, outcome in (
            ("typ of a push", {"typ": "wax1"}, "unsupported"), ("typ absent", {"typ": ...}, "unsupported"), ("alg absent", {"alg": ...}, "malformed"), ("alg HPKE-0", {"alg": "HPKE-0"}, "unsupported"),
            ("psk_id a KID", {"psk_id": b64url(d.kid().encode())}, "malformed"), ("psk_id absent", {"psk_id": ...}, "malformed"), ("enc", {"enc": "A256GCM"}, "malformed"), ("kid short", {"kid": b.dkid[:-1]}, "malformed"),
        ):
            self.offer("header", about, outcome, raw(header=header))
        self.offer("header", "a push offered as a bundle", "unsupported", self.jwe(self.harbour))
        self.offer("header", "four parts", "malformed", raw()[:-1])
        self.push("header", "a bundle offered as a push", "unsupported", raw(), "bundles")
        for about, changes in (
            ("kty EC", {"kty": "EC"}), ("k of 16 bytes", {"k": b64url(bytes(16))}), ("k padded", {"k": jwk["k"] + "="}), ("kid without epoch", {"kid": key.handle}), ("kid of epoch 65536", {"kid": key.handle + ".65536"}), ("jwe_alg absent", {"jwe_alg": ...}),
            ("jwe_alg null", {"jwe_alg": None}), ("jwe_alg A256GCM", {"jwe_alg": "A256GCM"}), ("use sig", {"use": "sig"}), ("sub empty", {"sub": ""}), ("sub of 65 bytes", {"sub": "s" * 65}), ("seq a string", {"seq": "1001"}), ("seq 1.0 form", {"seq": w.Raw("1001.0")}),
            ("iat absent", {"iat": ...}), ("exp absent", {"exp": ...}), ("exp at iat", {"exp": NOW - 60}), ("exp one second past 31 days", {"exp": NOW - 60 + 31 * DAY + 1}), ("accessible of the passcode class", {"accessible": "when-passcode-set-this-device-only"}), ("accessible absent", {"accessible": ...}),
        ):
            self.offer("jwk", about, "bad-claims", raw(changes=changes))
        for about, changes in (("unknown members, alg among them", {"alg": "A256GCM", "key_ops": ["decrypt"], "x": None}), ("nbf is ignored", {"nbf": NOW + DAY})):
            self.offer("jwk", about, "installed", raw(changes=changes))
        text = compact(jwk)
        for about, data in (("kid twice", text[:-1] + ',"kid":"x"}'), ("an array", "[" + text + "]"), ("something after", text + "x"), ("17 deep", text[:-1] + ',"x":' + "[" * 16 + "]" * 16 + "}")):
            self.offer("json", about, "bad-claims", raw(data.encode()))
        self.offer("json", "white space around", "installed", raw((" " + text.replace(",", " ,\n") + " ").encode()))

    def derivations(self):
        self.file("derive", "The key schedule and thumbprints")
        for cid, steps in (("river-7", 0), ("river-7", 1), ("river-7", 512), ("!", 3), ("~" * 64, 7)):
            given = {"sub": cid, "k": self.random.text(32), "steps": steps}
            self.add("keys", "%d steps" % steps, {"outcome": "derived", "c": ..., "gcm_key": ..., "psk": ...}, kind="derive", derive=given)
        for phone in (self.phone, self.other_phone):
            self.add("dkid", "thumbprint", {"outcome": "derived", "dkid": ...}, kind="derive", derive={"jwk": phone.public})
        noisy = dict({"use": "enc", "kid": "ignored"}, **self.phone.public)
        self.add("dkid", "other members are ignored", {"outcome": "derived", "dkid": self.phone.dkid}, kind="derive", derive={"jwk": noisy})


def ascii_json(text):
    out = []
    for c in text:
        n = ord(c)
        if n < 0x7F:
            out.append(c)
        elif n < 0x10000:
            out.append("\\u%04x" % n)
        else:
            n -= 0x10000
            out.append("\\u%04x\\u%04x" % (0xD800 + (n >> 10), 0xDC00 + (n & 0x3FF)))
    return "".join(out)


def written(doc):
    """A ring and a case a line, so that a difference can be read."""
    head = {name: doc[name] for name in ("format", "set", "about", "count")}
    rings = ",\n".join("%s:%s" % (compact(name), compact(ring)) for name, ring in doc["rings"].items())
    cases = ",\n".join(map(compact, doc["cases"]))
    text = "%s,\n\"rings\":{\n%s\n},\n\"cases\":[\n%s\n]}\n" % (compact(head)[:-1], rings, cases)
    return ascii_json(text).encode("ascii")


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
    for name, vectors in (("at-rest", at_rest_vectors.AtRest), ("audit", audit_vectors.Audit), ("backup", backup_vectors.Maker)):
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
