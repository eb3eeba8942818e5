"""A backend that takes enrollment documents, a second time: docs/spec/bundle.md, section 2."""

import opener
import waxwing as w

WORDS = {"kty": "EC", "crv": "P-256", "alg": "HPKE-7"}


def is_text(value):
    return isinstance(value, str)


def document_of(data):
    """(DKID, enrollment secret), or BadInput."""
    try:
        document = opener.strict_json(data)
    except (ValueError, RecursionError):
        raise w.BadInput("not strict JSON")
    if not isinstance(document, dict) or set(document) != {"jwk", "enrollment_secret", "name"}:
        raise w.BadInput("members")
    jwk, name = document["jwk"], document["name"]
    if not isinstance(jwk, dict) or not {"kty", "crv", "alg", "x", "y"} <= set(jwk) <= {"kty", "crv", "alg", "x", "y", "use", "kid"}:
        raise w.BadInput("members of jwk")
    if any(jwk[member] != word for member, word in WORDS.items()) or jwk.get("use", "enc") != "enc" or not is_text(jwk.get("kid", "")):
        raise w.BadInput("jwk")
    if not (is_text(name) and 1 <= len(name.encode("utf-8")) <= 128):
        raise w.BadInput("name")
    if not w.is_bytes_of(document["enrollment_secret"], 32):
        raise w.BadInput("enrollment_secret")
    w.recipient_bytes(jwk)
    return w.thumbprint(jwk), document["enrollment_secret"]


class Backend:
    def __init__(self):
        self.devices = {}

    def offer(self, data):
        try:
            dkid, secret = document_of(data)
        except w.BadInput:
            return {"outcome": "bad-input"}
        if dkid not in self.devices:
            self.devices[dkid] = secret
            return {"outcome": "enrolled", "dkid": dkid}
        return {"outcome": "known", "dkid": dkid} if self.devices[dkid] == secret else {"outcome": "conflict"}
