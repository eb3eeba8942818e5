"""The other side, by libraries that know nothing of Waxwing: jwcrypto and joserfc for `dir`, pyhpke for `HPKE-7`.

Every peer has seal(keys, claims_bytes, random) -> compact string and open(keys, compact string) -> plaintext bytes, where
`keys` is a Keys below. Any exception out of open() is a refusal.
"""

import json
import warnings

import waxwing as w


class Keys:
    """One conversation key at one epoch, and the device for HPKE-7."""

    def __init__(self, cid, kid, secret, device=None):
        self.cid, self.kid = cid, kid
        self.gcm_key = w.gcm_key(secret, cid)
        self.psk = w.preshared_key(secret, cid)
        self.device = device


def dir_header(keys):
    return {"alg": "dir", "enc": "A256GCM", "kid": keys.kid, "typ": "wax1"}


class JWCrypto:
    name, alg = "jwcrypto", "dir"

    def seal(self, keys, plaintext, random):
        from jwcrypto import jwe, jwk
        key = jwk.JWK(kty="oct", k=w.b64url(keys.gcm_key))
        token = jwe.JWE(plaintext, protected=json.dumps(dir_header(keys)))
        token.add_recipient(key)
        return token.serialize(compact=True)

    def open(self, keys, text):
        from jwcrypto import jwe, jwk
        key = jwk.JWK(kty="oct", k=w.b64url(keys.gcm_key))
        token = jwe.JWE(algs=["dir", "A256GCM"])
        token.deserialize(text, key)
        return token.payload


class Joserfc:
    name, alg = "joserfc", "dir"

    def seal(self, keys, plaintext, random):
        from joserfc import jwe
        from joserfc.jwk import OctKey
        return jwe.encrypt_compact(dir_header(keys), plaintext, OctKey.import_key(keys.gcm_key), algorithms=["dir", "A256GCM"])

    def open(self, keys, text):
        from joserfc import jwe
        from joserfc.jwk import OctKey
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return jwe.decrypt_compact(text, OctKey.import_key(keys.gcm_key), algorithms=["dir", "A256GCM"]).plaintext


class PyHPKE:
    name, alg = "pyhpke", "HPKE-7"

    def suite(self):
        from pyhpke import AEADId, CipherSuite, KDFId, KEMId
        return CipherSuite.new(KEMId.DHKEM_P256_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)

    def key(self, jwk, private):
        from pyhpke import KEMKey
        names = ("kty", "crv", "x", "y") + (("d",) if private else ())
        return KEMKey.from_jwk({name: jwk[name] for name in names})

    def seal(self, keys, plaintext, random):
        psk_id = keys.kid.encode("ascii")
        header = json.dumps({
            "alg": "HPKE-7", "kid": w.thumbprint(keys.device), "psk_id": w.b64url(psk_id), "typ": "wax1"})
        part = w.b64url(header.encode("ascii"))
        enc, sender = self.suite().create_sender_context(self.key(keys.device, False), psk=keys.psk, psk_id=psk_id)
        return ".".join((part, w.b64url(enc), "", w.b64url(sender.seal(plaintext, aad=part.encode("ascii"))), ""))

    def open(self, keys, text):
        header, enc, iv, sealed, tag = text.split(".")
        fields = json.loads(w.unb64url(header))
        if fields["alg"] != "HPKE-7" or iv or tag:
            raise ValueError("not an HPKE-7 string")
        psk_id = w.unb64url(fields["psk_id"])
        recipient = self.suite().create_recipient_context(
            w.unb64url(enc), self.key(keys.device, True), psk=keys.psk, psk_id=psk_id)
        return recipient.open(w.unb64url(sealed), aad=header.encode("ascii"))


ALL = (JWCrypto(), Joserfc(), PyHPKE())
