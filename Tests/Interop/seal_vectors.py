"""What is sealed, byte for byte, and what a sealer refuses."""


import claim_flaws
import forms
import waxwing as w
from negative_vectors import changed
from vector_base import PLACEHOLDER, Base
from waxwing import b64url, compact


class Seals(Base):
    def seal(self, group, about, what, held, claims=None, **spec):
        if what == "sealed":
            what = {"outcome": what, "payload_b64": ...}
        whole = changed(self.spec(held, self.claims(held) if claims is None else claims), spec)
        self.add(group, about, what, kind="seal", seal=whole)

    def seals(self):
        self.file("seal", "Exact bytes of sealed payloads, and what a sealer refuses")
        for key in (self.river, self.harbour):
            self.sealed(key)
        k = self.river
        self.seal("image-url", "in the clear, APNs", "sealed", k, image_url="https://i.example/x?a=b/c")
        self.seal("trunc", "given by the caller", "sealed", k, self.claims(k, trunc=True))
        self.seal("last-epoch", "65535", "sealed", self.summit)
        self.seal("depth", "data 15 deep", "sealed", k, self.claims(k, data=self.nested(15)))
        self.add("split", "plain", {"outcome": "sealed", "payload_b64": ...}, kind="seal", seal=self.split_spec("caf\u00e9 \"x\""))
        self.add("split", "does not fit", "S-fit-split", kind="seal", seal=self.split_spec("x" * 4096))
        for key in (self.river, self.harbour):
            self.frames_refused(key)
        self.claims_not_sealed(k)

    def nested(self, depth):
        """An object so many containers deep."""
        value = 1
        for _ in range(depth):
            value = {"x": value}
        return value

    def sealed(self, key):
        a = key.alg

        def seal(group, about, claims=None, **spec):
            self.seal(group, about, "sealed", key, claims, **spec)

        seal("plain", a)
        seal("plain", a + ", claims given in reverse", dict(reversed(list(self.claims(key, subtitle="s", thread="t").items()))))
        seal("aps", a + ", every member, given in reverse", aps=dict(reversed(list({
            "alert": {"body": "b", "loc-key": "lk", "title": "t", "title-loc-key": "tlk"}, "sound": "ping.caf", "badge": 7, "category": "C",
            "thread-id": "th", "interruption-level": "active", "relevance-score": w.Raw("0.25")}.items()))))
        seal("aps", a + ", a sound that is an object", aps={"alert": {"body": "b"}, "sound": {"critical": 1, "name": "a.caf", "volume": w.Raw("1.0")}})
        seal("aps", a + ", none given", aps=...)
        seal("fcm", a, rendering="fcm", aps=...)
        seal("fcm", a + ", image_url, full", rendering="fcm", aps=..., image_url="https://i.example/x", pad="full", limit=1000)
        for size in (255, 256, 257, 768, 2048) if a == "dir" else (256, 257):
            claims = self.claims(key)
            claims["body"] += "x" * (size - len(compact(claims)))
            seal("bucket", "%s, claims of %d bytes" % (a, size), claims, pad="bucket")
        seal("bucket", a + ", the next bucket does not fit", pad="bucket", limit=600 if a == "dir" else 760)
        for extra in range(3):
            seal("full", "%s, limit %d" % (a, 900 + extra), pad="full", limit=900 + extra)
        for name, unit in (("Japanese", "\u6c34"), ("family emoji", "\U0001F468\u200d\U0001F469\u200d\U0001F467"), ("flags", "\U0001F1EB\U0001F1EE"),
                           ("CRLF", "\r\n"), ("quotes", "\""), ("a letter with three marks", "a\u0300\u0301\u0302"), ("Hangul in jamo", "\u1112\u1161\u11ab"), ("controls", "\x01")):
            if a == "HPKE-7" and name not in ("Japanese", "quotes"):
                continue
            seal("cut", "%s, body of %s" % (a, name), self.claims(key, body=unit * 160), pad="bucket", limit=800)
        seal("cut", a + ", one cluster larger than the room", self.claims(key, body="a" + "\u0300" * 300), limit=800)

    def frames_refused(self, key):
        a, handle = key.alg, key.handle

        def refuse(rule, about, claims=None, **spec):
            self.seal("refused", "%s, %s" % (a, about), rule, key, claims, **spec)

        def aps(rule, about, **changes):
            refuse(rule, "aps: " + about, aps=changed({"alert": {"title": "T", "body": "b"}, "sound": "default"}, changes))

        refuse("S-fit-body", "title too long", self.claims(key, title="t" * 900, body=...), limit=900)
        refuse("S-fit-cut", "title too long, with a body", self.claims(key, title="t" * 900), limit=900)
        refuse("S-fit-frame", "limit of 100", limit=100)
        refuse("S-type-empty", "type empty", type="")
        refuse("S-type-long", "type of 33 characters", type="t" * 33)
        for first in (".a", "-a", "_a"):
            refuse("S-type-first", "type " + first, type=first)
        for value in ("a/b", "a b", "a\n", "caf\u00e9", "a\u212a"):
            refuse("S-type-character", "type %s" % ascii(value), type=value)
        for value in ("http://a", "HTTPS://a", "", "a"):
            refuse("S-image-scheme", "image_url %r" % value, image_url=value)
        refuse("S-image-empty", "image_url of the scheme alone", image_url="https://")
        for value in ("https://a b", "https://\u00e9", "https://a\n"):
            refuse("S-image-character", "image_url %s" % ascii(value), image_url=value)
        for value in (..., "b", {}, None, []):
            aps("S-alert", "alert %s" % (value,), alert=value)
        aps("S-alert-member", "subtitle in alert", alert={"body": "b", "subtitle": "s"})
        aps("S-alert-string", "title null", alert={"title": None})
        aps("S-alert-string", "loc-key a number", alert={"loc-key": 1})
        for member in ("mutable-content", "content-available", "Sound"):
            aps("S-aps-member", member, **{member: 1})
        for value in (1, None, []):
            aps("S-sound", "sound %s" % value, sound=value)
        aps("S-sound-depth", "sound 15 deep", sound=self.nested(15))
        for form, value in forms.integer(3).items():
            aps("S-badge/" + form, "badge, " + form, badge=value)
        for name in ("category", "thread-id", "interruption-level"):
            for value in (1, None):
                aps("S-" + name, "%s %s" % (name, value), **{name: value})
        for value in ("0.5", None, True):
            aps("S-relevance-score", "relevance-score %r" % value, **{"relevance-score": value})
        for value in ("A256GCMKW", "DIR", "HPKE-0", ""):
            refuse("S-alg", "alg %r" % value, alg=value)
        named = {"sub": key.cid, "kid": key.kid(), "k": key.k()}
        for form, kid in forms.kid(handle).items():
            refuse("S-kid/" + form, "kid, " + form, key=dict(named, kid=kid))
        for count in (0, 31, 33):
            refuse("S-secret", "secret of %d bytes" % count, key=dict(named, k=b64url(bytes(count))))
        for rule, cid in (("S-cid-empty", ""), ("S-cid-long", "c" * 65), ("S-cid-character", "a b"), ("S-cid-character", "caf\u00e9"), ("S-cid-character", "a\x7f")):
            refuse(rule, "conversation %s" % ascii(cid), self.claims(key, sub=cid), key=dict(named, sub=cid))
        if a == "HPKE-7":
            for about, changes in (("off the curve", {"y": self.phone.public["x"]}), ("x of 31 bytes", {"x": b64url(bytes(31))}), ("outside the field", {"x": b64url(b"\xff" * 32)})):
                refuse("S-point", "device " + about, device=dict(self.phone.public, **changes))
        refuse("S-claims-member", "an unknown claim", self.claims(key, iss="x"))
        refuse("S-image-member", "width in image", self.claims(key, image={"url": "https://a", "width": 1}))
        for name in ("loc_title", "loc_body"):
            refuse("S-loc-member", "plural in " + name, self.claims(key, **{name: {"key": "k", "args": {}, "plural": True}}))
        for name in ("title", "body", "thread"):
            refuse("S-surrogate", name + " with half a pair", self.claims(key, **{name: "\ud83d"}))
        refuse("S-depth", "data 16 deep", self.claims(key, data=self.nested(16)))
        for value in ("", "Bucket", "most"):
            refuse("S-pad", "padding %r" % value, pad=value)
        if a == "dir":
            self.add("refused", "split for FCM", "S-split-fcm", kind="seal", seal=changed(self.split_spec("x"), {"rendering": "fcm", "aps": ...}))

    def claims_not_sealed(self, key):
        self.seal("claims", "an array", "S-claims/C-object", key, [])
        good = self.claims(key)
        for path, about, changes in claim_flaws.claims(good):
            self.seal("claims", about, "S-claims/" + path, key, changed(good, changes))

    def split_spec(self, text):
        return {
            "rendering": "apns", "alg": "split", "key": {"k": self.split}, "text": text, "iv": self.random.text(12), "limit": 4096, "type": "chat",
            "body": PLACEHOLDER, "aps": {"alert": {"title": "Waxwing", "body": PLACEHOLDER}},
        }
