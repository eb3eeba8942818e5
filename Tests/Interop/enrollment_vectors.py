"""The vectors of enrollment documents: what make_vectors.py writes into enrollment.json."""

import base64

import enrollment
import forms
import refusals
import waxwing as w
from negative_vectors import changed
from vector_base import Phone
from waxwing import b64url, compact


class Maker:
    def __init__(self, random):
        self.rules, self.documents = refusals.Rules.of_folder(), []
        self.phone, self.other = Phone(random), Phone(random)

    def good(self, phone=None, jwk=None, **changes):
        phone = phone or self.phone
        key = changed(phone.public, jwk or {})
        return changed({"jwk": key, "enrollment_secret": phone.enrollment_secret, "name": "Ana's phone"}, changes)

    def offer(self, about, what, document, before=()):
        """`what` is the outcome, or the rule that is broken."""
        entry = {"id": "d-%03d" % (len(self.documents) + 1), "about": about}
        outcome = what
        if what[0].isupper():
            entry["rule"], outcome = what, self.rules.outcome(what)
        backend = enrollment.Backend()
        bytes_of = [d if isinstance(d, bytes) else compact(d).encode("utf-8") for d in (*before, document)]
        for data in bytes_of[:-1]:
            if backend.offer(data)["outcome"] not in ("enrolled", "known"):
                raise SystemExit("enrollment %s (%s): a document before it is refused" % (entry["id"], about))
        got = backend.offer(bytes_of[-1])
        if got["outcome"] != outcome:
            raise SystemExit("enrollment %s (%s): %s, expected %s" % (entry["id"], about, got["outcome"], outcome))
        texts = [base64.b64encode(data).decode("ascii") for data in bytes_of]
        if before:
            entry["before"] = texts[:-1]
        self.documents.append({**entry, "document_b64": texts[-1], "expect": got})

    def make(self):
        self.taken()
        self.document_refused()
        self.key_refused()
        self.offer("another enrollment secret", "N-other-secret", self.good(enrollment_secret=self.other.enrollment_secret), [self.good()])
        self.offer("another secret and another name", "N-other-secret", self.good(enrollment_secret=self.other.enrollment_secret, name="x"), [self.good()])
        return self

    def taken(self):
        good = self.good()
        self.offer("as a device writes it", "enrolled", good)
        self.offer("members in another order, white space", "enrolled", ("\n" + compact(dict(reversed(list(good.items())))).replace(",", " ,\t") + "\r\n").encode())
        self.offer("without use", "enrolled", self.good(jwk={"use": ...}))
        self.offer("with a kid of any text", "enrolled", self.good(jwk={"kid": "\u2603"}))
        self.offer("escapes in names and values", "enrolled", compact(good).replace('"kty"', '"k\\u0074y"').replace('"name"', '"n\\u0061me"').encode())
        self.offer("a name of 128 bytes", "enrolled", self.good(name="\u00df" * 64))
        self.offer("the same again", "known", good, [good])
        self.offer("the same key and secret, another name", "known", self.good(name="x"), [good])
        self.offer("another device", "enrolled", self.good(self.other), [good])
        self.offer("another device with the same secret", "enrolled", self.good(self.other, enrollment_secret=self.phone.enrollment_secret), [good])

    def document_refused(self):
        place = forms.Place(compact(self.good(name="n")), "name", '"n"')
        for form, data in {**forms.json_text(place), **forms.json_values(place)}.items():
            self.offer(form, "N-json/" + form, data)
        for form, about, data in forms.more_json(place):
            self.offer("%s, %s" % (form, about), "N-json/" + form, data)
        text = compact(self.good())
        self.offer("enrollment_secret twice, once escaped", "N-json/J-twice-escaped", text.replace('"enroll', '"\\u0065nrollment_secret":"AAAA","enroll', 1).encode())
        for about, data in (("an array", b"[]"), ("null", b"null"), ("a string", b'"x"')):
            self.offer(about, "N-object", data)
        for name in ("x", "Name", ""):
            self.offer("a member %r" % name, "N-member", self.good(**{name: 1}))
        for value in (..., None, "x", []):
            self.offer("jwk %s" % (value,), "N-jwk", dict(self.good(), jwk=value) if value is not ... else changed(self.good(), {"jwk": ...}))
        for value in (..., None, 1, []):
            self.offer("enrollment_secret %s" % (value,), "N-secret-absent", self.good(enrollment_secret=value))
        for form, value in forms.base64url(self.phone.enrollment_secret).items():
            self.offer("enrollment_secret, " + form, "N-secret/" + form, self.good(enrollment_secret=value))
        for count in (0, 16, 31, 33):
            self.offer("enrollment_secret of %d bytes" % count, "N-secret-length", self.good(enrollment_secret=b64url(bytes(count))))
        for value in (..., None, 1):
            self.offer("name %s" % (value,), "N-name", self.good(name=value))
        self.offer("name empty", "N-name-empty", self.good(name=""))
        for name in ("n" * 129, "\u00df" * 64 + "s"):
            self.offer("name of 129 bytes, %d characters" % len(name), "N-name-long", self.good(name=name))

    def key_refused(self):
        for rule, member, values in (
            ("N-d", "d", (b64url(self.phone.scalar), "", None)), ("N-kty", "kty", ("OKP", "ec", None, ...)), ("N-crv", "crv", ("P-384", "secp256r1", None, ...)), ("N-alg", "alg", ("HPKE-0", "ECDH-ES", "HP\u212aE-7", None, ...)),
            ("N-use", "use", ("sig", "", None)), ("N-kid", "kid", (1, None)), ("N-jwk-member", "x5u", ("https://a",)), ("N-jwk-member", "key_ops", (["deriveBits"],)), ("N-x-absent", "x", (..., None, 1)), ("N-y-absent", "y", (..., None, 1)),
        ):
            for value in values:
                about = "%s absent" % member if value is ... else "%s %s" % (member, "the private key" if member == "d" and value else ascii(value))
                self.offer(about, rule, self.good(jwk={member: value}))
        for name in ("x", "y"):
            for form, value in forms.base64url(self.phone.public[name]).items():
                self.offer("%s, %s" % (name, form), "N-%s/%s" % (name, form), self.good(jwk={name: value}))
            for count in (0, 31, 33):
                self.offer("%s of %d bytes" % (name, count), "N-%s-length" % name, self.good(jwk={name: b64url(bytes(count))}))
        self.offer("x of another point", "N-curve", self.good(jwk={"x": self.other.public["x"]}))
        self.offer("all zero", "N-curve", self.good(jwk={"x": b64url(bytes(32)), "y": b64url(bytes(32))}))
        p = w.P256_FIELD
        self.offer("x the field's size", "N-field", self.good(jwk={"x": b64url(p.to_bytes(32, "big"))}))
        point = w.point_with_small_x()
        self.offer("x that has the field's size too much", "N-field", self.good(jwk={"x": b64url((point[0] + p).to_bytes(32, "big")), "y": b64url(point[1].to_bytes(32, "big"))}))

    @property
    def count(self):
        return len(self.documents)

    def document(self):
        head = compact({"format": "waxwing-enrollments/1", "about": "Enrollment documents; docs/spec/bundle.md, section 8, says how this is read.", "count": self.count})
        return w.ascii_json("%s,\n\"documents\":[\n%s\n]}\n" % (head[:-1], ",\n".join(map(compact, self.documents)))).encode("ascii")
