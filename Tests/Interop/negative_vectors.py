"""The pushes that do not open: one flaw each, with the rule that it breaks."""

import base64
import hashlib

import claim_flaws
import forms
import two_keys
import waxwing as w
from cryptography.hazmat.primitives.asymmetric import ec
from vector_base import DAY, NOW, Base, Key
from waxwing import b64url, compact


def with_part(parts, i, value):
    return ".".join(parts[:i] + [value] + parts[i + 1:])


def flipped(parts, i, at, bit=1):
    data = bytearray(w.unb64url(parts[i]))
    data[at] ^= bit
    return with_part(parts, i, b64url(bytes(data)))


def compressed(point):
    return bytes([2 | point[64] & 1]) + point[1:33]


def hybrid(point):
    return bytes([6 | point[64] & 1]) + point[1:]


def changed(good, changes):
    return {name: value for name, value in {**good, **changes}.items() if value is not ...}


def spaced(text, more=0):
    """As bytes, and so many spaces that it and `more` bytes leave unused bits in base64."""
    data = text.encode("utf-8")
    return data + b" " * ((1 - len(data) - more) % 3)


class Negatives(Base):
    def open_negative(self):
        self.file("open-negative", "One flaw each, with the rule that it breaks and the outcome it must have")
        k, h = self.river, self.harbour
        self.good_dir, self.good_hpke = self.jwe(k), self.jwe(h)
        self.payloads()
        self.parts()
        self.headers()
        self.dir_headers(k)
        self.hpke_headers(h)
        self.holdings()
        self.forgeries()
        self.claims_refused()
        self.times()
        self.orders()
        self.split_negative()

    def broken_json(self, group, place, at, make, values):
        """Every rule of JSON broken at a place; `make` gives what is pushed around the broken text."""
        for form, data in {**forms.json_text(place), **(forms.json_values(place) if values else {})}.items():
            self.push(group, form, "%s/%s" % (at, form), make(data))
        for form, about, data in forms.more_json(place) + (forms.more_values(place) if values else []):
            self.push(group, "%s, %s" % (form, about), "%s/%s" % (at, form), make(data))

    def payloads(self):
        good = self.good_dir
        whole = self.bare(good)
        self.push("size", "one byte over", "E-1-payload", whole + b" " * (4097 - len(whole)))
        self.push("size", "too large and not JSON", "E-1-payload", b"[" * 4097)
        self.push("size", "a value of 8,193 bytes", "E-1-value", "A" * 8193, entry="value")
        self.push("size", "8,193 bytes, one of them of a letter outside ASCII", "E-1-value", "A" * 8191 + "\u00e9", entry="value")
        self.push("size", "a value of 8,192 bytes that is no JWE", "E-4-parts", "A" * 8192, entry="value")
        place = forms.Place('{"a":"x","encrypted_payload":"%s"}' % good, "a", '"x"')
        self.broken_json("json-payload", place, "E-2-json", lambda data: data, True)
        body = '{"encrypted_payload":"%s"}' % good
        self.push("json-payload", "encrypted_payload twice, the good one last", "E-2-json/J-twice", b'{"encrypted_payload":"",' + body[1:].encode())
        for about, data in (("an array", "[%s]" % body), ("null", "null"), ("a string", '"x"'), ("a number", "1")):
            self.push("json-payload", about, "E-2-object", data.encode())
        for about, data in (("plain alert", '{"aps":{"alert":"x"}}'), ("empty object", "{}"), ("in capitals", body.replace("encrypted", "Encrypted")), ("further in", '{"aps":%s}' % body)):
            self.push("not-sealed", about, "E-3-absent", data.encode())
        for about, value in (("null", None), ("false", False), ("a number", 1), ("an array", [good])):
            self.push("kind", "encrypted_payload is " + about, "E-3-kind", self.bare(value))

    def parts(self):
        good, hgood = self.good_dir, self.good_hpke
        for about, text in (
            ("empty", ""), ("four parts", good.rsplit(".", 1)[0]), ("six parts", good + "."), ("full-width dots", good.replace(".", "\uff0e")), ("HPKE-7, four parts", hgood[:-1]),
        ):
            self.push("parts", about, "E-4-parts", text)
        # Of lengths that leave unused bits in every part.
        k, h = self.river, self.harbour
        parts = self.jwe(k, spaced(compact(self.claims(k))), header=spaced(compact(self.header(k)))).split(".")
        # 16 bytes of tag are part of the ciphertext.
        hparts = self.jwe(h, spaced(compact(self.claims(h)), 16)).split(".")
        for p, i, name in ((parts, 0, "header"), (hparts, 1, "key"), (parts, 2, "iv"), (parts, 3, "ciphertext"), (hparts, 3, "ciphertext"), (parts, 4, "tag")):
            for form, value in forms.base64url(p[i]).items():
                self.push("base64", "%s: %s" % (name, form), "E-4-%s/%s" % (name, form), with_part(p, i, value))
        # Twelve bytes leave none; of another length it is told before what typ says.
        other = self.jwe(k, header=self.header(k, typ="wax2")).split(".")
        self.push("base64", "iv: U-bits", "E-4-iv/U-bits", with_part(other, 2, "AB"))
        for about, text in (("a space in front", " " + good), ("a line feed after", good + "\n"), ("a tab before the tag", good.replace(".", ".\t"))):
            self.push("base64", about, "E-4-%s/U-space" % ("tag" if "after" in about else "header"), text)

    def headers(self):
        k = self.river
        raw = compact(self.header(k))
        self.broken_json("json-header", forms.Place(raw, "typ", '"wax1"'), "E-4-json", lambda data: self.jwe(k, header=data), False)
        for about, data in (("an array", "[%s]" % raw), ("a string", '"x"'), ("null", "null")):
            self.push("json-header", about, "E-4-object", self.jwe(k, header=data.encode()))
        for about, changes in (("alg null", {"alg": None}), ("kid a number", {"kid": 1}), ("enc null", {"enc": None}), ("typ an array", {"typ": ["wax1"]}), ("crit", {"crit": ["exp"]}), ("jwk", {"jwk": {}}), ("a member true", {"x": True})):
            self.push("json-header", about, "E-4-string", self.jwe(k, header=self.header(k, **changes)))
        for key in (k, self.harbour):
            for about, changes, rule in (
                ("alg absent", {"alg": ...}, "E-5a-alg"), ("kid absent", {"kid": ...}, "E-5a-kid"), ("typ absent", {"typ": ...}, "E-5b-absent"), ("typ in capitals", {"typ": "WAX1"}, "E-5b-typ"),
                ("typ of a bundle", {"typ": "wax1-key"}, "E-5b-typ"), ("typ of a JWT", {"typ": "JWT"}, "E-5b-typ"), ("typ with a space", {"typ": "wax1 "}, "E-5b-typ"), ("typ empty", {"typ": ""}, "E-5b-typ"),
                ("alg unknown", {"alg": "A256KW"}, "E-5c-alg"), ("alg none", {"alg": "none"}, "E-5c-alg"), ("alg in capitals", {"alg": "DIR"}, "E-5c-alg"), ("alg HPKE-0", {"alg": "HPKE-0"}, "E-5c-alg"),
                ("alg with a Kelvin sign", {"alg": "HP\u212aE-7"}, "E-5c-alg"), ("alg empty", {"alg": ""}, "E-5c-alg"),
                ("typ other and a member too many", {"typ": "JWT", "x": ""}, "E-5b-typ"), ("alg other and a member too many", {"alg": "none", "x": ""}, "E-5c-alg"),
            ):
                self.push("header", "%s, %s" % (key.alg, about), rule, self.jwe(key, header=self.header(key, **changes)))

    def dir_headers(self, k):
        for about, changes, rule in (
            ("enc A128GCM", {"enc": "A128GCM"}, "E-5d-enc"), ("enc in small letters", {"enc": "a256gcm"}, "E-5d-enc"), ("enc empty", {"enc": ""}, "E-5d-enc"), ("enc other and a member too many", {"enc": "A256CBC-HS512", "x": ""}, "E-5d-enc"),
            ("enc absent", {"enc": ...}, "E-5e-enc"), ("zip", {"zip": "DEF"}, "E-5e-dir-member"), ("crit as a string", {"crit": "exp"}, "E-5e-dir-member"), ("jku", {"jku": "https://a"}, "E-5e-dir-member"),
            ("x5u", {"x5u": "https://a"}, "E-5e-dir-member"), ("an unknown member", {"x": ""}, "E-5e-dir-member"), ("psk_id beside dir", {"psk_id": b64url(k.kid().encode())}, "E-5e-dir-member"),
            ("a member in capitals", {"TYP": "wax1"}, "E-5e-dir-member"), ("a member with an empty name", {"": ""}, "E-5e-dir-member"),
        ):
            self.push("header", "dir, " + about, rule, self.jwe(k, header=self.header(k, **changes)))
        for form, kid in forms.kid(k.handle).items():
            self.push("kid", "dir, " + form, "E-5e-dir-kid/" + form, self.jwe(k, header=self.header(k, kid=kid)))
        for form, end in (("H-digit", ".0 "), ("H-digit", ".-0"), ("H-digit", ".\u0661"), ("H-digit", ".0.0"), ("H-digit", ".0x1"), ("H-range", ".99999"), ("H-range", ".18446744073709551616"), ("H-zero", ".00"), ("H-length", "A.0")):
            self.push("kid", "dir, kid HANDLE" + ascii(end)[1:-1], "E-5e-dir-kid/" + form, self.jwe(k, header=self.header(k, kid=k.handle + end)))
        for form, kid in (("H-length", ""), ("H-length", "x"), ("H-dot", k.handle), ("H-character", "\u212a" + k.handle[1:] + ".0"), ("H-character", "+" + k.handle[1:] + ".0")):
            self.push("kid", "dir, kid %s" % ascii(kid.replace(k.handle[1:], "...")), "E-5e-dir-kid/" + form, self.jwe(k, header=self.header(k, kid=kid)))
        parts = self.good_dir.split(".")
        for about, rule, text in (
            ("an encrypted key", "E-5e-dir-key", with_part(parts, 1, "AAAA")), ("iv of 11 bytes", "E-5e-dir-iv", with_part(parts, 2, b64url(bytes(11)))), ("iv of 16 bytes", "E-5e-dir-iv", self.jwe(k, iv_length=16)),
            ("iv empty", "E-5e-dir-iv", with_part(parts, 2, "")), ("tag of 15 bytes", "E-5e-dir-tag", with_part(parts, 4, b64url(w.unb64url(parts[4])[:15]))), ("tag of 17 bytes", "E-5e-dir-tag", with_part(parts, 4, b64url(w.unb64url(parts[4]) + b"\0"))),
            ("tag empty", "E-5e-dir-tag", with_part(parts, 4, "")),
        ):
            self.push("length", "dir, " + about, rule, text)

    def hpke_headers(self, h):
        hparts = self.good_hpke.split(".")
        point = w.unb64url(hparts[1])
        for about, changes, rule in (
            ("psk_id absent", {"psk_id": ...}, "E-5e-psk"), ("enc beside it", {"enc": "A256GCM"}, "E-5e-member"), ("ek member", {"ek": hparts[1]}, "E-5e-member"), ("an unknown member", {"x": ""}, "E-5e-member"),
            ("DKID of 31 bytes", {"kid": b64url(bytes(31))}, "E-5e-dkid-length"), ("DKID of 33 bytes", {"kid": b64url(bytes(33))}, "E-5e-dkid-length"), ("DKID empty", {"kid": ""}, "E-5e-dkid-length"),
            ("DKID the KID", {"kid": h.kid().replace(".", "A")}, "E-5e-dkid-length"), ("psk_id the plain KID", {"psk_id": h.kid()}, "E-5e-psk-id/U-character"), ("psk_id empty", {"psk_id": ""}, "E-5e-psk-kid/H-length"),
            ("psk_id of enroll", {"psk_id": b64url(b"enroll")}, "E-5e-psk-kid/H-length"), ("psk_id with a byte that is not UTF-8", {"psk_id": b64url(b"\xff" + h.kid()[1:].encode())}, "E-5e-psk-kid/H-character"),
        ):
            self.push("header", "HPKE-7, " + about, rule, self.jwe(h, header=self.header(h, **changes)))
        for form, value in forms.base64url(self.phone.dkid).items():
            self.push("header", "DKID, " + form, "E-5e-dkid/" + form, self.jwe(h, header=self.header(h, kid=value)))
        # A KID of 19 characters leaves unused bits.
        named = b64url(self.ladder.kid().encode())
        for form, value in forms.base64url(named).items():
            self.push("header", "psk_id, " + form, "E-5e-psk-id/" + form, self.jwe(self.ladder, header=self.header(self.ladder, psk_id=value)))
        for form, value in forms.kid(h.handle).items():
            self.push("kid", "HPKE-7, " + form, "E-5e-psk-kid/" + form, self.jwe(h, header=self.header(h, psk_id=b64url(value.encode()))))
        for about, rule, text in (
            ("an iv", "E-5e-iv", with_part(hparts, 2, b64url(bytes(12)))), ("a tag", "E-5e-tag", with_part(hparts, 4, b64url(bytes(16)))), ("ciphertext of 15 bytes", "E-5e-ciphertext", with_part(hparts, 3, b64url(bytes(15)))),
            ("ciphertext empty", "E-5e-ciphertext", with_part(hparts, 3, "")), ("compressed point, right but for that", "E-5e-point-length", self.jwe(h, spelled=compressed)), ("point of 64 bytes", "E-5e-point-length", with_part(hparts, 1, b64url(point[1:]))),
            ("point empty", "E-5e-point-length", with_part(hparts, 1, "")), ("point of 66 bytes", "E-5e-point-length", with_part(hparts, 1, b64url(point + b"\0"))), ("hybrid point, right but for that", "E-5e-point", self.jwe(h, spelled=hybrid)),
            ("a point that begins with 0", "E-5e-point", with_part(hparts, 1, b64url(b"\0" + point[1:]))),
        ):
            self.push("length", "HPKE-7, " + about, rule, text)

    def holdings(self):
        h = self.harbour
        self.push("unknown", "DKID of another device", "E-6-device", self.jwe(h, header=self.header(h, kid=self.other_phone.dkid)))
        self.push("unknown", "handle", "E-6-handle", self.good_dir, "empty")
        self.push("unknown", "HPKE-7, handle", "E-6-handle", self.good_hpke, "empty")
        self.push("unknown", "513 ahead", "E-6-far", self.jwe(self.stair, n=522))
        self.push("unknown", "HPKE-7, 513 ahead", "E-6-far", self.jwe(self.ladder, n=525))
        self.push("unknown", "HPKE-7, below the lowest held", "E-6-below", self.jwe(self.ladder, n=7, header=self.header(self.ladder, 6)))
        self.push("unknown", "below the lowest held", "E-6-below", self.jwe(self.stair, n=3, header=self.header(self.stair, 2)))
        for of, alg, rule in ((self.ladder, "dir", "E-7-dir"), (self.river, "HPKE-7", "E-7-hpke")):
            crossed = Key(self.random, of.cid, alg)
            crossed.handle = of.handle
            self.push("alg-of-key", "%s under a key for the other" % alg, rule, self.jwe(crossed, n=of.epoch))
        for key, about, rule, env in (
            (self.cellar, "compromised", "E-8a-compromised", {}), (self.rubble, "destroyed", "E-8a-destroyed", {}), (self.porch, "suspended", "E-8a-suspended", {}), (self.cellar_hpke, "HPKE-7, suspended and past its time", "E-8a-suspended", {}),
            (self.attic, "past open_until", "E-8b-handle", {}), (self.attic_hpke, "HPKE-7, past open_until", "E-8b-handle", {}), (self.meadow, "one second past open_until", "E-8b-handle", {"now": NOW + DAY + 1}),
            (self.attic, "past open_until and locked", "E-8b-handle", {"lock": "before-first-unlock"}), (self.study, "when-unlocked, locked", "E-9-secret", {"lock": "locked"}),
            (self.desk, "HPKE-7, when-unlocked-this-device-only, locked", "E-9-secret", {"lock": "locked"}), (self.river, "after-first-unlock, before first unlock", "E-9-secret", {"lock": "before-first-unlock"}),
            (self.shelf, "after-first-unlock-this-device-only, before first unlock", "E-9-secret", {"lock": "before-first-unlock"}),
        ):
            self.push("state", about, rule, self.jwe(key), env=self.env(**env))
        self.push("state", "older epoch past its time", "E-8b-epoch", self.jwe(self.stair, n=3))
        self.push("state", "between a retired and a held epoch", "E-8b-epoch", self.jwe(self.stair, n=5))
        guarded = self.jwe(self.guarded_key, header=self.header(self.guarded_key, phone=self.guarded), phone=self.guarded)
        self.push("state", "device key locked", "E-9-device", guarded, "device-when-unlocked", self.env(lock="locked"))

    def forgeries(self):
        k, h = self.river, self.harbour
        parts, hparts = self.good_dir.split("."), self.good_hpke.split(".")
        other, hother = self.jwe(k).split("."), self.jwe(h).split(".")
        for i, name in ((2, "iv"), (3, "ciphertext"), (4, "tag")):
            for at, where in ((0, "first"), (-1, "last")):
                self.push("tamper", "dir, %s byte of the %s" % (where, name), "E-10-" + name, flipped(parts, i, at))
        for i, at, about, rule in (
            (1, 64, "point", "E-10-curve"), (3, 0, "ciphertext, first byte", "E-10-ciphertext"), (3, -17, "ciphertext, last byte", "E-10-ciphertext"), (3, -1, "tag", "E-10-tag"), (3, -16, "tag, first byte", "E-10-tag"),
        ):
            self.push("tamper", "HPKE-7, " + about, rule, flipped(hparts, i, at, 0x80))
        ciphertext = w.unb64url(parts[3])
        for about, rule, text in (
            ("iv of another message", "E-10-iv", with_part(parts, 2, other[2])), ("ciphertext and tag of another message", "E-10-iv", ".".join(parts[:3] + other[3:])),
            ("ciphertext cut by a byte", "E-10-ciphertext", with_part(parts, 3, b64url(ciphertext[:-1]))), ("ciphertext a byte longer", "E-10-ciphertext", with_part(parts, 3, b64url(ciphertext + b"\0"))),
            ("ciphertext empty", "E-10-ciphertext", with_part(parts, 3, "")), ("HPKE-7, point of another message", "E-10-enc", with_part(hparts, 1, hother[1])),
            ("HPKE-7, ciphertext of 16 bytes", "E-10-ciphertext", with_part(hparts, 3, b64url(bytes(16)))),
            ("header reordered after sealing", "E-10-header", with_part(parts, 0, b64url(compact(dict(reversed(list(self.header(k).items())))).encode()))),
            ("HPKE-7, header spaced after sealing", "E-10-header", with_part(hparts, 0, b64url(compact(self.header(h)).encode() + b" "))), ("another epoch's kid", "E-10-key", self.jwe(self.stair, header=self.header(self.stair, 10))),
            ("another conversation's kid", "E-10-key", self.jwe(k, header=self.header(self.stair))), ("HPKE-7, another epoch's psk_id", "E-10-psk", self.jwe(self.ladder, header=self.header(self.ladder, 13))),
        ):
            self.push("tamper", about, rule, text)
        for about, rule, point in (
            ("off the curve", "E-10-curve", b"\x04" + bytes(31) + b"\1" + bytes(31) + b"\1"), ("all zero", "E-10-curve", b"\x04" + bytes(64)), ("coordinates above the field", "E-10-field", b"\x04" + b"\xff" * 64),
        ):
            self.push("point", about, rule, with_part(hparts, 1, b64url(point)))
        self.push("point", "a coordinate that is the field's size too large, right but for that", "E-10-field", self.beyond_the_field(h))
        self.push("point", "the negative of the point, which has the same shared secret, right but for the context", "E-10-enc", self.negative_point(hparts))
        self.push("wrong-key", "other bytes under the name", "E-10-key", self.good_dir, "other-bytes")
        self.push("wrong-key", "HPKE-7, other bytes under the name", "E-10-psk", self.good_hpke, "other-bytes")
        self.push("wrong-key", "HPKE-7, sealed to another device key", "E-10-recipient", self.jwe(h, header=self.header(h, phone=self.other_phone)), "other-device-key")
        secret, cid = k.secret(), k.cid
        for about, key in (
            ("C_n itself", secret), ("P_n", w.preshared_key(secret, cid)), ("C_n+1", w.next_secret(secret, cid)), ("no zero byte before the conversation", w.hkdf_expand(secret, b"waxwing/1 A256GCM" + cid.encode(), 32)),
            ("label without version", w.hkdf_expand(secret, b"A256GCM\0" + cid.encode(), 32)), ("another conversation's label", w.gcm_key(secret, "stair")),
            ("extracted first", w.hkdf_expand(hashlib.sha256(secret).digest(), w.label("A256GCM", cid), 32)), ("the split key", w.unb64url(self.split)),
        ):
            self.push("derivation", "dir, sealed under " + about, "E-10-key", self.jwe(k, aes_key=key))
        self.push("derivation", "dir, sealed with no associated data", "E-10-aad", self.jwe(k, aad=b""))
        hpsk = w.preshared_key(h.secret(), h.cid)
        for about, rule, use in (
            ("base mode", "E-10-mode", {"mode": w.MODE_BASE, "psk": b"", "psk_id": b""}), ("the mode's number alone", "E-10-mode", {"mode": w.MODE_BASE}), ("C_n as psk", "E-10-psk", {"psk": h.secret()}), ("K_n as psk", "E-10-psk", {"psk": w.gcm_key(h.secret(), h.cid)}),
            ("an info", "E-10-info", {"info": b"waxwing/1"}), ("the encoded psk_id", "E-10-psk-id", {"psk_id": b64url(h.kid().encode()).encode()}), ("the handle as psk_id", "E-10-psk-id", {"psk_id": h.handle.encode()}),
            ("no associated data", "E-10-aad", {"aad": b""}), ("the decoded header as associated data", "E-10-aad", {"aad": compact(self.header(h)).encode()}),
            ("the enrollment secret", "E-10-psk", {"psk": w.unb64url(self.phone.enrollment_secret), "psk_id": b"enroll"}), ("psk and psk_id swapped", "E-10-psk", {"psk": h.kid().encode(), "psk_id": hpsk}),
        ):
            self.push("derivation", "HPKE-7, sealed with " + about, rule, self.jwe(h, **use))

    def beyond_the_field(self, key):
        """Sealed to a point whose x has a second spelling of 32 bytes, in that spelling. Whoever reduces it opens this."""
        x, y = w.point_with_small_x()
        point, enc = (b"\x04" + n.to_bytes(32, "big") + y.to_bytes(32, "big") for n in (x, x + w.P256_FIELD))
        dh = w.private_key(self.phone.scalar).exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point))
        header = b64url(compact(self.header(key)).encode())
        psk, kid = w.preshared_key(key.secret(), key.cid), key.kid().encode("ascii")
        sealed = w.hpke_sealed(dh, enc, w.public_bytes(self.phone.public), psk, kid, header.encode(), compact(self.claims(key)).encode())
        return ".".join((header, b64url(enc), "", b64url(sealed), ""))

    def negative_point(self, parts):
        point = w.unb64url(parts[1])
        y = w.P256_FIELD - int.from_bytes(point[33:], "big")
        return with_part(parts, 1, b64url(point[:33] + y.to_bytes(32, "big")))

    def claims_refused(self):
        k, h = self.river, self.harbour
        text = compact(self.claims(k, x="x"))
        self.broken_json("json-claims", forms.Place(text, "x", '"x"'), "E-11-json", lambda data: self.jwe(k, data), True)
        text = compact(self.claims(k))
        for about, form, data in (
            ("NUL padding", "J-space", text.encode() + bytes(4)), ("0x80 padding", "J-after", text.encode() + b"\x80\0\0"), ("a second object after the spaces", "J-after", text.encode() + b"   {}"), ("nothing at all", "J-empty", b""),
            ("a claim twice, once escaped", "J-twice-escaped", (text[:-1] + ',"\\u0073ub":"river-7"}').encode()), ("no-break space padding", "J-space", (text + "\u00a0").encode()),
        ):
            self.push("json-claims", about, "E-11-json/" + form, self.jwe(k, data))
        for about, data in (("an array", b"[]"), ("a string", b'"x"'), ("a number", b"1"), ("null", b"null")):
            self.push("claims", about, "E-11-claims/C-object", self.jwe(k, data))
        good = self.claims(k)
        for path, about, changes in claim_flaws.claims(good):
            self.push("claims", about, "E-11-claims/" + path, self.jwe(k, compact(changed(good, changes)).encode("utf-8")))
        self.push("claims", "HPKE-7, sub of another conversation", "E-11-claims/C-sub", self.jwe(h, compact(self.claims(k)).encode()))

    def times(self):
        k, h = self.river, self.harbour
        for about, changes, now, rule in (
            ("now is exp", {"exp": NOW}, NOW, "E-12a-exp"), ("one second past exp", {"exp": NOW - 1}, NOW, "E-12a-exp"), ("no exp, 31 days over", {"exp": ..., "iat": NOW}, NOW + 31 * DAY, "E-12a-bound"),
            ("iat 601 s ahead", {"iat": NOW + 601}, NOW, "E-12b-iat"), ("iat in milliseconds", {"iat": NOW * 1000, "exp": ...}, NOW, "E-12b-iat"),
        ):
            for key in (k, h):
                self.push("time", "%s, %s" % (key.alg, about), rule, self.jwe(key, compact(self.claims(key, **changes)).encode()), env=self.env(now=now))
        for key in (k, h):
            claims = self.claims(key)
            self.push("replay", key.alg + ", jti seen", "E-13-seen", self.jwe(key, compact(claims).encode()), env=self.env(seen=[[key.cid, claims["jti"]]]))

    def orders(self):
        """Two flaws: the one that comes first decides."""
        k, parts = self.river, self.good_dir.split(".")
        claims = self.claims(k, exp=NOW)
        self.push("order", "expired before duplicate", "E-12a-exp", self.jwe(k, compact(claims).encode()), env=self.env(seen=[[k.cid, claims["jti"]]]))
        self.push("order", "not authentic before expired", "E-10-tag", flipped(parts, 4, 3), env=self.env(now=NOW + 90 * DAY))
        self.push("order", "retired before not authentic", "E-8b-handle", with_part(self.jwe(self.attic).split("."), 4, parts[4]))
        self.push("order", "locked before not authentic", "E-9-secret", with_part(self.jwe(self.study).split("."), 4, parts[4]), env=self.env(lock="locked"))
        self.push("order", "bad claims before expired", "E-11-claims/C-trunc", self.jwe(k, compact(self.claims(k, exp=NOW, trunc=False)).encode()))

    def split_negative(self):
        good = self.split_fields("Hello!")
        for ring, about, rule, env in (
            ("split-off", "not allowed", "X-1-allowed", {}), ("main", "not allowed, no key", "X-1-allowed", {}), ("split-none", "no key", "X-3-none", {}), ("split-compromised", "compromised", "X-4-revoked", {}),
            ("split-suspended", "one suspended, one compromised", "X-4-revoked", {}), ("split-retired", "past its time", "X-5-retired", {}), ("split-locked", "locked", "X-6-locked", {"lock": "locked"}),
            ("split", "one second past open_until", "X-5-retired", {"now": NOW + 90 * DAY + 1}), ("split", "before first unlock", "X-6-locked", {"lock": "before-first-unlock"}),
        ):
            self.push("split", about, rule, self.bare(good), ring, self.env(**env))
        self.push("split", "not allowed and not looked at", "X-1-allowed", self.bare({}), "split-off")
        for about, rule, value in (
            ("no members", "X-2-absent", {}), ("ciphertext absent", "X-2-absent", changed(good, {"ciphertext": ...})), ("nonce absent", "X-2-absent", changed(good, {"nonce": ...})), ("tag absent", "X-2-absent", changed(good, {"tag": ...})),
            ("a member too many", "X-2-member", dict(good, kid="x")), ("nonce null", "X-2-string", dict(good, nonce=None)), ("tag a number", "X-2-string", dict(good, tag=1)), ("ciphertext an array", "X-2-string", dict(good, ciphertext=[])),
            ("nonce of 11 bytes", "X-2-nonce-length", dict(good, nonce=base64.b64encode(bytes(11)).decode())), ("nonce of 16 bytes", "X-2-nonce-length", dict(good, nonce=base64.b64encode(bytes(16)).decode())),
            ("tag of 12 bytes", "X-2-tag-length", dict(good, tag=good["tag"][:16])), ("tag of 17 bytes", "X-2-tag-length", dict(good, tag=base64.b64encode(bytes(17)).decode())), ("tag empty", "X-2-tag-length", dict(good, tag="")),
        ):
            self.push("split", about, rule, self.bare(value), "split")
        short = self.split_fields("Hello")
        for fields, name in ((short, "ciphertext"), (good, "nonce"), (good, "tag")):
            for form, value in forms.base64(fields[name]).items():
                self.push("split", "%s, %s" % (name, form), "X-2-%s/%s" % (name, form), self.bare(dict(fields, **{name: value})), "split")
        for about, value in (
            ("another key", self.split_fields("x", self.random.text(32))), ("associated data", self.split_fields("x", aad=b"a")), ("K_n of the conversation", self.split_fields("x", b64url(w.gcm_key(self.river.secret(), "river-7")))),
            ("a bit of the tag", dict(good, tag=base64.b64encode(bytes(16)).decode())), ("the ciphertext of another", dict(good, ciphertext=short["ciphertext"])), ("ciphertext empty", dict(good, ciphertext="")),
        ):
            self.push("split", about, "X-7-none", self.bare(value), "split")
        self.push("split", "the predecessor's key where only the current one is held", "X-7-none", self.bare(self.split_fields("x", self.split_before)), "split")
        self.push("split", "the locked one of two", "X-7-one-locked", self.bare(self.split_fields("x", self.split_before)), "split-mixed", self.env(lock="locked"))
        self.push("split", "the same key twice", "X-7-both", self.bare(good), "split-same-bytes")
        keys = [w.unb64url(key) for key in (self.split, self.split_before)]
        nonce = self.random.take(12)
        ciphertext, tag = two_keys.of_two_blocks(keys, nonce, self.random.take(16))
        both = {"ciphertext": ciphertext, "nonce": nonce, "tag": tag}
        self.push("split", "one ciphertext that is right under two keys", "X-7-both", self.bare({name: base64.b64encode(data).decode("ascii") for name, data in both.items()}), "split-two")
        for about, data in (("not UTF-8", b"\xff"), ("a surrogate", b"\xed\xa0\x80"), ("overlong", b"\xc0\x80"), ("cut", "\u00e9".encode()[:1])):
            self.push("split", about, "X-8-utf8", self.bare(self.split_fields(data)), "split")
