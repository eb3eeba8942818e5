"""Messages, bundles, requests and histories that are right, or nearly: cases of docs/spec/cases.md without an expectation.

What is changed is changed before sealing, so that most of it is authentic and is judged by what it says.
"""

import base64
import re

import claim_flaws
import forms
import odd
import waxwing as w
from bundle_vectors import Bundles
from negative_vectors import changed
from seal_vectors import Seals
from vector_base import DAY, GRACE, NOW, Key, Phone, Stream
from waxwing import b64url, compact

LOCKS = ("unlocked",) * 7 + ("locked", "locked", "before-first-unlock")


class Drawn(Stream):
    def __init__(self, rng):
        self.rng = rng

    def take(self, length):
        return self.rng.randbytes(length)


class NearMisses(Bundles, Seals):
    def __init__(self, rng):
        super().__init__("near misses")
        self.rng, self.random = rng, Drawn(rng)
        self.fresh = {"dir": Key(self.random, "fresh", "dir")}
        self.rings["near"] = self.rings["main"]
        self.kinds = {
            "header": self.header_case, "header's text": self.header_text, "claims": self.claims_case, "claims' text": self.claims_text, "payload's text": self.payload_text, "base64url": self.base64_case,
            "split": self.split_case, "bundle's header": self.bundle_header_case, "bundle's JWK": self.bundle_case, "bundle's text": self.bundle_text, "request": self.request_case, "bundle request": self.bundle_request,
            "enrollment": self.enrollment_case, "enrollment's text": self.enrollment_text,
        }
        # Longer than the others, and less of it is told by one of them.
        self.kinds.update({"history": self.history, "history of one conversation": lambda: self.history(1), "history, all readable": lambda: self.history(2)})

    def case(self, kind):
        return self.kinds[kind]()

    # Building blocks

    def opening(self, payload, ring="near", **more):
        payload = payload if isinstance(payload, bytes) else self.bare(payload)
        env = {"now": NOW + self.rng.choice((0, 0, 0, 1, DAY - 1, DAY)), "lock": "unlocked", "seen": [], "replay": "ok", "limit": self.rng.choice((4096, 5120, 16384))}
        return {"ring": ring, "env": env, "payload_b64": base64.b64encode(payload).decode("ascii"), **more}

    def offering(self, text, ring="bundles"):
        return {"kind": "bundle", "ring": ring, "env": {"now": NOW, "lock": self.rng.choice(LOCKS)}, "bundle": text}

    def one_key(self):
        return self.rng.choice((self.river, self.harbour, self.ladder, self.summit))

    def full_claims(self, key):
        rng = self.rng
        more = {
            "subtitle": odd.text(rng, 8), "loc_title": {"key": odd.text(rng, 5), "args": {odd.text(rng, 4): odd.text(rng, 6), "b": ""}}, "loc_body": {"key": "k", "args": {}}, "thread": odd.text(rng, 24),
            "category": "c", "image": {"url": "https://a/b", "sha256": self.random.text(32), "key": self.random.text(32)}, "data": {"n": w.Raw(rng.choice(("1", "1.50", "-0", "1e400", "9" * 40))), "o": [None, True, odd.text(rng, 5)]}, "trunc": True,
        }
        kept = {name: value for name, value in more.items() if rng.random() < 0.3}
        return self.claims(key, title=odd.text(rng, 12), body=odd.text(rng, rng.choice((3, 40, 200))), **kept)

    def odd_value(self, value):
        """In the place of a value: nearly the same, or of another kind."""
        rng = self.rng
        near = [None, True, False, 0, 1, "", [], {}, [value], w.Raw("-0"), w.Raw("1.0"), w.Raw("1e3"), odd.text(rng, 6)]
        if isinstance(value, str) and value:
            at = rng.randrange(len(value))
            c = rng.choice("=+/-_ .AZaz09\u212a\u0131\n\0\u00e9")
            near += [value[:at] + c + value[at + 1:], value[:at] + c + value[at:], value[:at] + value[at + 1:], value + value[-1], value.upper(), value.lower(), value + c, c + value]
            near += list(forms.base64url(value).values()) if re.fullmatch(r"[A-Za-z0-9_-]{4,}", value, re.ASCII) else []
        elif isinstance(value, int) and not isinstance(value, bool):
            near += [max(0, value + rng.choice((-1, 1, -600, 601, 31 * DAY, 31 * DAY + 1))), *forms.integer(value).values()]
        elif isinstance(value, dict) and value:
            near += [self.varied(value) for _ in range(12)]
        return rng.choice(near)

    def varied(self, members):
        """Members after one change."""
        rng, out = self.rng, dict(members)
        name = rng.choice(list(out))
        kind = rng.randrange(6)
        if kind == 0:
            del out[name]
        elif kind == 1:
            out[rng.choice((name.upper(), name + " ", "x", "", "nbf", "crit", "zip", "d", "d", "\u212aid", odd.text(rng, 4)))] = self.odd_value(out[name])
        elif kind == 2:
            out = dict(rng.sample(list(out.items()), len(out)))
        else:
            out[name] = self.odd_value(out[name])
        return out

    def several(self, members):
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            members = self.varied(members) if members else members
        return members

    def retold(self, text):
        """JSON's text that means the same or nearly: escapes, white space, oddities in a member more, edits."""
        rng, data = self.rng, text.encode("utf-8")
        kind = rng.randrange(7)
        if kind == 0:
            return odd.edited(rng, data)
        if kind == 1:
            at = [i for i, c in enumerate(data) if chr(c).isalnum()]
            at = rng.choice(at)
            return data[:at] + b"\\u%04x" % data[at] + data[at + 1:]
        if kind == 2:
            white = [bytes([rng.choice(b" \t\n\r\r\n \x0b\x0c\0" if rng.random() < 0.2 else b" \t\n\r")]) for _ in range(6)]
            return white[0] + data.replace(b",", white[1] + b"," + white[2], 1).replace(b":", white[3] + b":" + white[4], 1) + white[5]
        more = {3: lambda: odd.number(rng).encode(), 4: lambda: b'"' + odd.string(rng) + b'"', 5: lambda: odd.nested(rng), 6: lambda: rng.choice((b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"\xc3\xa9":1,"e\xcc\x81":2}', b'[{"K":1,"\xe2\x84\xaa":2}]', b'{"":1,"":2}', b'1,"\xc3\xa9":1,"e\xcc\x81":2', b'1,"\\u00e9":1,"\xc3\xa9":2'))}[kind]()
        name = b'"' + (odd.string(rng) if rng.random() < 0.3 else b"x") + b'":'
        return data[:-1] + b"," + name + more + b"}" if rng.random() < 0.7 else b"{" + name + more + b"," + data[1:]

    # Pushes

    def header_case(self):
        key = self.one_key()
        return self.opening(self.jwe(key, header=self.several(self.header(key)) or b"{}"))

    def header_text(self):
        key = self.one_key()
        return self.opening(self.jwe(key, header=self.retold(compact(self.header(key)))))

    def claims_case(self):
        key = self.one_key()
        good, kind = self.full_claims(key), self.rng.randrange(4)
        objects = [name for name, value in good.items() if isinstance(value, dict)]
        if kind == 0:
            out = changed(good, self.rng.choice(claim_flaws.claims(good))[2])
        elif kind == 1 and objects:
            name = self.rng.choice(objects)
            out = dict(good, **{name: self.several(good[name])})
        else:
            out = self.several(good)
        return self.opening(self.jwe(key, compact(out).encode("utf-8") + b" " * self.rng.choice((0, 0, 9))))

    def claims_text(self):
        key = self.one_key()
        return self.opening(self.jwe(key, self.retold(compact(self.full_claims(key)))))

    def payload_text(self):
        key = self.one_key()
        entry = {"entry": "value"} if self.rng.random() < 0.1 else {}
        whole = self.several({"aps": {"alert": {"body": odd.text(self.rng, 9)}}, "encrypted_payload": self.jwe(key)})
        # A whole that is no JSON has no value to be handed over.
        text = compact(whole)
        return self.opening(text.encode("utf-8") if entry else self.retold(text) if whole else b"{}", **entry)

    def base64_case(self):
        key, rng = self.one_key(), self.rng
        if rng.random() < 0.3:
            return self.opening(odd.edited(rng, self.jwe(key).encode("ascii")).decode("utf-8", "ignore").replace("\ufeff", ""))
        parts = self.jwe(key).split(".")
        filled = [i for i, p in enumerate(parts) if len(p) > 4]
        i = rng.choice(filled)
        if rng.random() < 0.5:
            parts[i] = rng.choice(list(forms.base64url(parts[i]).values()))
        else:
            data = bytearray(w.unb64url(parts[i]))
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            parts[i] = b64url(bytes(data)[:rng.choice((None, None, -1, 12, 16))])
        return self.opening(".".join(parts))

    def split_case(self):
        rng = self.rng
        text = rng.choice((odd.text(rng, 30), rng.choice((b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"")) + odd.text(rng, 5).encode()))
        fields = self.split_fields(text, rng.choice((self.split, self.split, self.split_before, self.random.text(32))))
        if rng.random() < 0.5:
            name = rng.choice(list(fields))
            broken = list(forms.base64(fields[name]).values()) if len(fields[name]) > 4 else [""]
            fields = dict(fields, **{name: rng.choice(broken)}) if rng.random() < 0.5 else self.varied(fields)
        if isinstance(fields, dict) and rng.random() < 0.1:
            fields = dict(fields, tag=base64.b64encode(rng.randbytes(16)).decode())
        case = self.opening(self.bare(fields), rng.choice([name for name in self.rings if name.startswith("split")]))
        case["env"].update(lock=rng.choice(LOCKS), now=NOW + rng.choice((0, DAY, DAY + 1, 90 * DAY, 90 * DAY + 1)))
        return case

    # Bundles

    def bundle_header_case(self):
        header = self.bundle_header()
        if self.rng.random() < 0.5:
            header = self.retold(compact(header))
        else:
            header = compact(self.several(header)).encode("utf-8")
        return self.offering(self.raw_bundle(header=header))

    def bundle_case(self):
        good = self.jwk_of(self.fresh["dir"])
        if self.rng.random() < 0.3:
            _, _, changes = self.rng.choice(claim_flaws.jwk(good, self.fresh["dir"].handle) + claim_flaws.jwk_fixed())
            return self.offering(self.raw_bundle(compact(changed(good, changes)).encode("utf-8")))
        return self.offering(self.raw_bundle(compact(self.several(good)).encode("utf-8")))

    def bundle_text(self):
        return self.offering(self.raw_bundle(self.retold(compact(self.jwk_of(self.fresh["dir"])))))

    # Sealing

    def request_case(self):
        if self.rng.random() < 0.1:
            text = odd.text(self.rng, self.rng.choice((5, 60, 900)))
            spec = dict(self.split_spec(text), limit=self.rng.choice((200, 260, 700, 4096)))
            return {"kind": "seal", "seal": dict(spec, rendering="fcm") if self.rng.random() < 0.1 else spec}
        rng, key = self.rng, self.rng.choice((self.river, self.harbour, self.summit))
        claims = self.full_claims(key)
        kind = rng.randrange(6)
        if kind == 0:
            claims = changed(claims, rng.choice(claim_flaws.claims(claims))[2])
        elif kind == 1:
            claims = self.several(claims)
        spec = self.spec(key, claims, rendering=rng.choice(("apns", "fcm")), pad=rng.choice(("bucket", "full", "none")), limit=rng.choice((100, 600, 700, 900, 1500, 4096)))
        if kind == 2:
            aps = {"alert": {"title": odd.text(rng, 5), "body": "b"}, "sound": rng.choice(("a", {"critical": 1})), "badge": 3, "relevance-score": w.Raw("0.5"), "thread-id": "t"}
            spec["aps"] = self.several(aps)
        elif kind == 3:
            spec["type"] = rng.choice(("t", "a-b_c.9", odd.text(rng, 3), "t" * rng.randrange(30, 35), "." + "t", "a b"))
            spec["image_url"] = rng.choice(("https://a", "https://", "http://a", "https://a b", "https://" + odd.text(rng, 4)))
            spec["body"] = odd.text(rng, 20)
        elif kind == 4:
            spec["key"] = dict(spec["key"], kid=rng.choice(list(forms.kid(key.handle).values()) + [key.kid()]))
        return {"kind": "seal", "seal": spec}

    def bundle_request(self):
        rng = self.rng
        key = Key(self.random, rng.choice(("c", "c" * 64, "c" * 65, "a b", "\x7f")), rng.choice(("dir", "HPKE-7"))) if rng.random() < 0.5 else self.fresh["dir"]
        try:
            good = self.bundle(key, accessible=rng.choice(w.CLASSES))
        except UnicodeEncodeError:
            good = self.bundle(self.fresh["dir"])
        return {"kind": "bundle-seal", "seal_bundle": changed(good, {} if rng.random() < 0.5 else rng.choice(claim_flaws.jwk(good, key.handle))[2])}

    # Enrollment documents

    def document(self):
        phone = Phone(self.random)
        return {"jwk": dict(phone.public, **self.rng.choice(({}, {}, {"kid": odd.text(self.rng, 4)}))), "enrollment_secret": phone.enrollment_secret, "name": odd.text(self.rng, self.rng.choice((4, 20, 130)))}

    def enrollment_case(self):
        document = self.document()
        document = self.several(document) if self.rng.random() < 0.5 else dict(document, jwk=self.several(document["jwk"]))
        return {"kind": "enroll", "document_b64": base64.b64encode(compact(document).encode("utf-8")).decode("ascii")}

    def enrollment_text(self):
        document = self.document()
        # Nothing that it holds may be more than a string, and so a member more tells nothing of its text.
        text = compact(dict(document, name="n")).encode("utf-8")
        text = text.replace(b'"n"', b'"n' + odd.string(self.rng) + b'"') if self.rng.random() < 0.5 else self.retold(text.decode("utf-8"))
        return {"kind": "enroll", "document_b64": base64.b64encode(text).decode("ascii")}

    # Histories

    def history(self, plain=0):
        """A device drawn at random, and what arrives there one after the other; `plain` leaves out what hides the rest."""
        rng = self.rng
        self.cids, self.algs = (("delta", "gamma"), ("dir", "dir", "HPKE-7")) if not plain else (("delta",), ("dir",))
        phone = Phone(self.random, last_seq=1000, accessible=rng.choice(("after-first-unlock", "after-first-unlock", "when-unlocked")))
        keys = [self.drawn_key(plain) for _ in range(rng.randrange(1 + plain, 5))]
        split = self.random.text(32)
        splits = [{"sub": "split", "k": split, "state": rng.choice(("active", "compromised")), "open_until": NOW + 40 * DAY, "accessible": rng.choice(w.CLASSES)}] if rng.random() < 0.3 else []
        ring = phone.ring([k.entry for k in keys], allow_split=bool(splits), split_keys=splits)
        newcomers = [Key(self.random, rng.choice(self.cids), rng.choice(self.algs)) for _ in range(2)]
        now, steps, sent = NOW, [], []
        for i in range(rng.randrange(1, 10 if plain else 6)):
            now += rng.choice((0, 0, 1, 600, DAY, 3 * DAY, GRACE - 1, GRACE, GRACE + 1))
            env = {"now": now, "lock": "unlocked" if plain == 2 else rng.choice(LOCKS), "seen": [], "replay": rng.choice(("ok", "ok", "ok", "unreadable")), "limit": 4096}
            if sent and rng.random() < 0.15:
                steps.append(dict(rng.choice(sent), env=env))
            elif rng.random() < 0.4:
                steps.append({"env": env, "bundle": self.drawn_bundle(phone, rng.choice(keys + newcomers), splits, now, 1001 + i)})
            else:
                steps.append({"env": env, "payload_b64": base64.b64encode(self.bare(self.drawn_push(phone, rng.choice(keys * 3 + newcomers), now))).decode("ascii")})
            sent.append(steps[-1])
        last = steps.pop()
        return {**({"kind": "bundle"} if "bundle" in last else {}), "ring": ring, **last, **({"before": steps} if steps else {})}

    def drawn_key(self, plain):
        rng = self.rng
        epoch = rng.choice((0, 3, 20) if plain else (0, 3, 20, 600, 65100))
        end = rng.choice((None,) * 6 + (NOW - 1, NOW, NOW + DAY, NOW + GRACE, NOW + 60 * DAY))
        state = rng.choice(("active",) * 9 + ("deactivated", "suspended", "compromised", "destroyed"))
        key = Key(self.random, rng.choice(self.cids), rng.choice(self.algs), epoch, lowest=max(0, epoch - 600), state=state, open_until=end, accessible=rng.choice(w.CLASSES))
        below = sorted({epoch - d for d in (2, 5, 10, 513) if d <= epoch and rng.random() < 0.3}, reverse=True)
        ends = sorted((min(NOW + d * DAY, end if end is not None else NOW + GRACE) - rng.choice((0, 1)) for d in rng.sample((-1, 0, 3, 20, 35), len(below))), reverse=True)
        key.entry["older"] = [key.older(n, e) for n, e in zip(below, ends)]
        return key

    def near_epoch(self, key):
        return min(65535, max(min(key.secrets), key.epoch + self.rng.choice((0,) * 30 + (1, 1, 1, 1, 2, 2, 7, 511, 512, 513, -1, -2, -3, -5, -6, -10, -512, -513, -514))))

    def drawn_push(self, phone, key, now):
        rng, n = self.rng, self.near_epoch(key)
        iat = now + rng.choice((0,) * 9 + (-5, 600, 601, -31 * DAY, -31 * DAY + 1))
        claims = self.claims(key, iat=iat, exp=rng.choice((..., ..., iat + DAY, iat + 1, iat + 31 * DAY)), sub=key.cid if rng.random() < 0.95 else "delta")
        text = self.jwe(key, compact(claims).encode(), n, self.header(key, n, phone), phone=phone)
        return text if rng.random() < 0.9 else text[:-3] + rng.choice(("A..", "AAA"))

    def drawn_bundle(self, phone, key, splits, now, seq):
        rng, n = self.rng, self.near_epoch(key)
        changes = rng.choice([{}] * 6 + [{"k": self.random.text(32)}, {"sub": "gamma"}, {"jwe_alg": "HPKE-7"}, {"exp": now}, {"iat": now + 601}, {"k": splits[0]["k"]} if splits else {}])
        iat = changes.pop("iat", now - 5)
        request = self.bundle(key, n, rng.choice((1000, 1001, seq, seq, seq, seq)), phone, iat=iat, exp=changes.pop("exp", iat + DAY), accessible=rng.choice(w.CLASSES))
        return w.seal_bundle({**request, **changes})
