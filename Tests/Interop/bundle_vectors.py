"""Bundles sealed, offered, installed and refused."""

import claim_flaws
import forms
import waxwing as w
from negative_vectors import Negatives, changed, compressed, flipped, hybrid, spaced, with_part
from vector_base import DAY, NOW, Key
from waxwing import b64url, compact


class Bundles(Negatives):
    def bundles(self):
        self.file("bundle", "Bundles sealed, offered, installed and refused")
        self.fresh = {alg: Key(self.random, "fresh-" + alg.lower(), alg) for alg in ("dir", "HPKE-7")}
        self.bundles_sealed()
        self.bundles_installed()
        self.bundles_out_of_turn()
        self.bundles_in_conflict()
        self.bundle_forms()
        self.bundle_forgeries()
        self.bundle_keys()

    def bundles_sealed(self):
        for alg, key in self.fresh.items():
            self.add("seal", alg, {"outcome": "sealed", "bundle": ...}, kind="bundle-seal", seal_bundle=self.bundle(key))
        key = self.fresh["dir"]
        good = self.bundle(key)

        def refuse(rule, about, changes):
            self.add("seal-refused", about, rule, kind="bundle-seal", seal_bundle=changed(good, changes))

        for path, about, changes in claim_flaws.jwk(good, key.handle):
            refuse("BS-jwk/" + path, about, changes)
        for count in (0, 31, 33):
            refuse("BS-secret", "enrollment secret of %d bytes" % count, {"enrollment_secret": b64url(bytes(count))})
        for about, point in (("off the curve", {"y": self.bundled.public["x"]}), ("x of 31 bytes", {"x": b64url(bytes(31))}), ("outside the field", {"x": b64url(b"\xff" * 32)})):
            refuse("BS-point", "device " + about, {"device": dict(self.bundled.public, **point)})

    def bundles_installed(self):
        for alg, key in self.fresh.items():
            for accessible in w.CLASSES:
                self.offer("good", "%s, %s" % (alg, accessible), "installed", w.seal_bundle(self.bundle(key, accessible=accessible)))
        key, d = self.fresh["dir"], self.r1
        for about, changes in (("seq one above", {"seq": 1001}), ("seq far above", {"seq": 2**53 - 1}), ("31 days", {"exp": NOW - 60 + 31 * DAY}), ("iat 600 s ahead", {"iat": NOW + 600}), ("one second before exp", {"exp": NOW + 1})):
            self.offer("good", about, "installed", w.seal_bundle(self.bundle(key, **changes)))
        for about, request in (
            ("a known KID with the same bytes", self.bundle(d)), ("an epoch above, on the chain", self.bundle(d, 517)), ("an epoch 513 above, unchecked", self.bundle(d, 518, k=self.random.text(32))),
            ("below the newest, on the chain", self.bundle(self.slow, 0)), ("below the newest, 512 from it", self.bundle(self.away, 88)), ("below the newest, above one that was erased", self.bundle(self.aged, 7)),
            ("a handle whose secret is not readable, unlocked", self.bundle(self.shut, 4)),
        ):
            self.offer("good", about, "installed", w.seal_bundle(request))
        self.offer("good", "locked, of a class readable only while unlocked", "installed", w.seal_bundle(self.bundle(key, accessible="when-unlocked")), env={"now": NOW, "lock": "locked"})

    def bundles_out_of_turn(self):
        key = self.fresh["dir"]
        for about, changes, rule in (
            ("seq the last one", {"seq": 1000}, "B-seq"), ("seq 0", {"seq": 0}, "B-seq"), ("now is exp", {"exp": NOW}, "B-exp"), ("long past exp", {"iat": NOW - 90 * DAY, "exp": NOW - 60 * DAY}, "B-exp"), ("iat 601 s ahead", {"iat": NOW + 601}, "B-iat"),
        ):
            self.offer("refused", about, rule, w.seal_bundle(self.bundle(key, **changes)))
        self.offer("refused", "device key locked", "B-device-locked", w.seal_bundle(self.bundle(key, phone=self.bundled_guarded)), "bundles-when-unlocked", {"now": NOW, "lock": "locked"})
        self.offer("refused", "for another device", "B-device", w.seal_bundle(self.bundle(key, phone=self.other_phone)))
        self.offer("refused", "another enrollment secret", "B-auth-secret", w.seal_bundle(self.bundle(key, enrollment_secret=self.random.text(32))))
        locked = {"now": NOW, "lock": "locked"}
        for about, n in (("the newest", 3), ("one above the newest", 4), ("one below the newest", 2)):
            self.offer("locked", about, "B-held-locked", w.seal_bundle(self.bundle(self.shut, n)), env=locked)
        self.offer("locked", "513 above the newest: held against nothing", "installed", w.seal_bundle(self.bundle(self.shut, 516)), env=locked)
        self.offer("locked", "a split key that is not readable", "B-held-locked", w.seal_bundle(self.bundle(key)), "bundles-split-locked", locked)
        self.offer("locked", "a conflict goes before a split key that is not readable", "B-compromised", w.seal_bundle(self.bundle(self.gone, 1)), "bundles-split-locked", locked)

    def bundles_in_conflict(self):
        key, d = self.fresh["dir"], self.r1
        other = self.random.text
        for about, rule, request in (
            ("known KID, other bytes", "B-bytes", self.bundle(d, k=other(32))), ("known KID as an older epoch, other bytes", "B-bytes-older", self.bundle(self.elder, 2, k=other(32))),
            ("known KID, other conversation", "B-sub", self.bundle(d, sub="other")), ("known handle, other conversation", "B-sub", self.bundle(d, 6, sub="other")), ("known handle, other conversation, far above", "B-sub", self.bundle(d, 900, sub="other")),
            ("known KID, other algorithm", "B-jwe-alg", self.bundle(d, jwe_alg="HPKE-7")), ("known handle, other algorithm", "B-jwe-alg", self.bundle(d, 6, jwe_alg="HPKE-7")),
            ("1 above and off the chain", "B-chain", self.bundle(d, 6, k=other(32))), ("512 above and off the chain", "B-chain", self.bundle(d, 517, k=other(32))), ("one above, with the bytes of the newest", "B-chain", self.bundle(d, 6, k=d.k())),
            ("below the newest and off the chain", "B-chain-below", self.bundle(self.slow, 1, k=other(32))), ("below the newest, with its bytes", "B-chain-below", self.bundle(self.slow, 1, k=self.slow.k())),
            ("on the chain, 513 below", "B-chain-far", self.bundle(self.away, 87)), ("an older epoch past its end, the same bytes", "B-erased", self.bundle(self.aged, 6)), ("one that would reach an epoch past its end", "B-erased", self.bundle(self.aged, 5)),
            ("compromised handle", "B-compromised", self.bundle(self.gone, 1)), ("compromised handle, the same bytes", "B-compromised", self.bundle(self.gone)), ("destroyed handle", "B-destroyed", self.bundle(self.wiped, 1)),
            ("destroyed handle, the same bytes", "B-destroyed", self.bundle(self.wiped)), ("the bytes of a split key", "B-split", self.bundle(key, k=self.split)),
        ):
            self.offer("conflict", about, rule, w.seal_bundle(request))
        past = {"now": NOW + 3 * DAY, "lock": "unlocked"}
        self.offer("conflict", "handle past its open_until", "B-ended", w.seal_bundle(self.bundle(self.slow, 3)), env=past)
        self.offer("conflict", "handle past its open_until, the same bytes", "B-ended", w.seal_bundle(self.bundle(self.slow)), env=past)

    def raw_bundle(self, plaintext=None, header=None, **use):
        """A compact string whose header and plaintext are exactly as given, authentic unless `use` says otherwise."""
        b = self.bundled
        if plaintext is None:
            plaintext = compact(self.jwk_of(self.fresh["dir"])).encode()
        part = b64url(header if isinstance(header, bytes) else compact(self.bundle_header(**(header or {}))).encode("utf-8"))
        enc, sealed = w.hpke_seal(
            w.public_bytes((use.get("phone") or b).public), self.random.scalar(), use.get("psk", w.unb64url(b.enrollment_secret)), use.get("psk_id", b"enroll"),
            use.get("aad", part.encode()), plaintext, use.get("info", b""), use.get("mode", w.MODE_PSK))
        return ".".join((part, b64url(enc), "", b64url(sealed), ""))

    def bundle_header(self, **changes):
        return changed({"alg": "HPKE-7", "kid": self.bundled.dkid, "psk_id": b64url(b"enroll"), "typ": "wax1-key"}, changes)

    def jwk_of(self, key, **changes):
        request = self.bundle(key)
        return changed({"kty": "oct", "use": "enc", **{name: request[name] for name in w.JWK_ORDER if name in request}}, changes)

    def bundle_forms(self):
        good = self.raw_bundle()
        parts = good.split(".")
        for about, text in (("four parts", good[:-1]), ("six parts", good + "."), ("empty", "")):
            self.offer("parts", about, "B-parts", text)
        longer = self.raw_bundle(spaced(compact(self.jwk_of(self.fresh["dir"])), 16), spaced(compact(self.bundle_header()))).split(".")
        for i, name in ((0, "header"), (1, "key"), (3, "ciphertext")):
            for form, value in forms.base64url(longer[i]).items():
                self.offer("base64", "%s: %s" % (name, form), "B-%s/%s" % (name, form), with_part(longer, i, value))
        header = compact(self.bundle_header())
        place = forms.Place(header, "typ", '"wax1-key"')
        for form, data in forms.json_text(place).items():
            self.offer("json-header", form, "B-json/" + form, self.raw_bundle(header=data))
        for about, data in (("an array", b"[]"), ("null", b"null")):
            self.offer("json-header", about, "B-object", self.raw_bundle(header=data))
        for about, changes, rule in (
            ("kid a number", {"kid": 1}, "B-string"), ("alg null", {"alg": None}, "B-string"), ("alg absent", {"alg": ...}, "B-alg-absent"), ("kid absent", {"kid": ...}, "B-kid-absent"), ("typ absent", {"typ": ...}, "B-typ-absent"),
            ("typ of a push", {"typ": "wax1"}, "B-typ"), ("typ in capitals", {"typ": "WAX1-KEY"}, "B-typ"), ("alg HPKE-0", {"alg": "HPKE-0"}, "B-alg"), ("alg dir", {"alg": "dir"}, "B-alg"), ("psk_id absent", {"psk_id": ...}, "B-psk"),
            ("enc", {"enc": "A256GCM"}, "B-member"), ("an unknown member", {"x": ""}, "B-member"), ("DKID of 31 bytes", {"kid": b64url(bytes(31))}, "B-dkid-length"), ("DKID empty", {"kid": ""}, "B-dkid-length"),
            ("psk_id a KID", {"psk_id": b64url(self.r1.kid().encode())}, "B-enroll"), ("psk_id in capitals", {"psk_id": b64url(b"ENROLL")}, "B-enroll"), ("psk_id empty", {"psk_id": ""}, "B-enroll"), ("psk_id longer", {"psk_id": b64url(b"enroll\0")}, "B-enroll"),
        ):
            self.offer("header", about, rule, self.raw_bundle(header=changes))
        for form, value in forms.base64url(self.bundled.dkid).items():
            self.offer("header", "DKID, " + form, "B-dkid/" + form, self.raw_bundle(header={"kid": value}))
        for form, value in forms.base64url(b64url(b"enroll")).items():
            self.offer("header", "psk_id, " + form, "B-psk-id/" + form, self.raw_bundle(header={"psk_id": value}))
        point = w.unb64url(parts[1])
        for about, rule, text in (
            ("an iv", "B-iv", with_part(parts, 2, b64url(bytes(12)))), ("a tag", "B-tag", with_part(parts, 4, b64url(bytes(16)))), ("ciphertext of 15 bytes", "B-short", with_part(parts, 3, b64url(bytes(15)))), ("ciphertext empty", "B-short", with_part(parts, 3, "")),
            ("compressed point", "B-point-length", with_part(parts, 1, b64url(compressed(point)))), ("point of 66 bytes", "B-point-length", with_part(parts, 1, b64url(point + b"\0"))), ("point empty", "B-point-length", with_part(parts, 1, "")),
            ("hybrid point", "B-point", with_part(parts, 1, b64url(hybrid(point)))),
        ):
            self.offer("length", about, rule, text)
        self.offer("header", "a push offered as a bundle", "B-typ", self.jwe(self.harbour))
        self.push("header", "a bundle offered as a push", "E-5b-typ", good, "bundles")

    def bundle_forgeries(self):
        parts = self.raw_bundle().split(".")
        for about, rule, text in (
            ("ciphertext, first byte", "B-auth-ciphertext", flipped(parts, 3, 0)), ("tag, last byte", "B-auth-ciphertext", flipped(parts, 3, -1)), ("header spaced after sealing", "B-auth-header", with_part(parts, 0, b64url(compact(self.bundle_header()).encode() + b" "))),
            ("point of another bundle", "B-auth-enc", with_part(parts, 1, self.raw_bundle().split(".")[1])), ("point off the curve", "B-auth-curve", flipped(parts, 1, 64)), ("point all zero", "B-auth-curve", with_part(parts, 1, b64url(b"\x04" + bytes(64)))),
            ("sealed to another device key", "B-auth-recipient", self.raw_bundle(phone=self.other_phone)),
        ):
            self.offer("forged", about, rule, text)
        for about, rule, use in (
            ("base mode", "B-auth-mode", {"mode": w.MODE_BASE, "psk": b"", "psk_id": b""}), ("an info", "B-auth-info", {"info": b"x"}), ("the encoded psk_id", "B-auth-psk-id", {"psk_id": b64url(b"enroll").encode()}),
            ("no associated data", "B-auth-aad", {"aad": b""}), ("P_n as psk", "B-auth-secret", {"psk": w.preshared_key(self.b1.secret(), self.b1.cid)}),
        ):
            self.offer("forged", "sealed with " + about, rule, self.raw_bundle(**use))

    def bundle_keys(self):
        key = self.fresh["dir"]
        text = compact(self.jwk_of(key, x="x"))
        place = forms.Place(text, "x", '"x"')
        for form, data in {**forms.json_text(place), **forms.json_values(place)}.items():
            self.offer("json", form, "B-jwk-json/" + form, self.raw_bundle(data))
        for form, about, data in forms.more_json(place) + forms.more_values(place):
            if form in ("J-twice", "J-high", "J-low", "J-hex", "JN-depth"):
                self.offer("json", "%s, %s" % (form, about), "B-jwk-json/" + form, self.raw_bundle(data))
        secret = text.replace('"k":"', '"\\u006b":"AAAA","k":"', 1)
        self.offer("json", "k twice, once escaped", "B-jwk-json/J-twice-escaped", self.raw_bundle(secret.encode()))
        text = compact(self.jwk_of(key))
        self.offer("json", "white space around", "installed", self.raw_bundle((" " + text.replace(",", " ,\n") + " ").encode()))
        self.offer("json", "escapes in names and values", "installed", self.raw_bundle(text.replace('"k":"', '"\\u006b":"').replace('"oct"', '"o\\u0063t"').encode()))
        for about, data in (("an array", b"[]"), ("a string", b'"x"'), ("null", b"null")):
            self.offer("jwk", about, "B-jwk/K-object", self.raw_bundle(data))
        good = self.jwk_of(key)
        for path, about, changes in claim_flaws.jwk(good, key.handle) + claim_flaws.jwk_fixed():
            self.offer("jwk", about, "B-jwk/" + path, self.raw_bundle(compact(changed(good, changes)).encode("utf-8")))
        for about, changes in (("unknown members, alg among them", {"alg": "A256GCM", "key_ops": ["decrypt"], "x": None}), ("nbf is ignored", {"nbf": NOW + DAY})):
            self.offer("jwk", about, "installed", self.raw_bundle(compact(changed(good, changes)).encode("utf-8")))
