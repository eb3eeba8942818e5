"""The sealing half of profile wax1, written a second time from docs/spec/envelope.md and docs/spec/bundle.md.

It shares nothing with the Swift code: HPKE is written out from RFC 9180 over P-256, HMAC-SHA-256 and AES-256-GCM of the
`cryptography` package. It exists to make test vectors and to disagree with the Swift code where one of them is wrong.
Nonces and ephemeral keys are handed in, so it must never seal anything real.
"""

import base64
import hashlib
import hmac
import json
import re
import struct

import regex
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CLAIM_ORDER = (
    "jti", "iat", "exp", "sub", "title", "subtitle", "body", "loc_title", "loc_body",
    "thread", "category", "image", "data", "trunc",
)
APS_ORDER = (
    "alert", "mutable-content", "sound", "badge", "category", "thread-id", "interruption-level", "relevance-score",
)
ALERT_ORDER = ("title", "title-loc-key", "body", "loc-key")
JWK_ORDER = ("kty", "k", "kid", "jwe_alg", "use", "sub", "seq", "iat", "exp", "accessible")
BUCKETS = (256, 512, 768, 1024, 1536, 2048)
CLASSES = (
    "when-unlocked", "after-first-unlock",
    "when-unlocked-this-device-only", "after-first-unlock-this-device-only",
)
LIFETIME = 31 * 86400
LARGEST_INTEGER = 2**53 - 1
LAST_EPOCH = 65535
DEEPEST = 16
P256_FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
P256_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class BadInput(Exception):
    """The sealer is asked for something the specification does not allow."""


class DoesNotFit(Exception):
    """Even with the body cut to nothing the payload is over its limit."""


class Raw:
    """A number token that is written as it was read."""

    def __init__(self, token):
        self.token = token

    def __eq__(self, other):
        return isinstance(other, Raw) and other.token == self.token

    __hash__ = None


# Encodings


def b64url(data):
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def unb64url(text, length=None):
    """Strict and canonical: no padding, no white space, unused trailing bits zero."""
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]*", text, re.ASCII) or len(text) % 4 == 1:
        raise ValueError("not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64url(data) != text:
        raise ValueError("not canonical base64url")
    if length is not None and len(data) != length:
        raise ValueError("%d bytes instead of %d" % (len(data), length))
    return data


def b64url_length(count):
    return (count * 4 + 2) // 3


def quote(text):
    """A JSON string in the one spelling a sealer uses."""
    named = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    out = []
    for c in text:
        out.append(named.get(c) or ("\\u%04x" % ord(c) if ord(c) < 0x20 else c))
    return '"' + "".join(out) + '"'


def compact(value):
    """Compact JSON; members stay in the order in which the dictionary has them."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Raw):
        return value.token
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(compact(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(quote(k) + ":" + compact(v) for k, v in value.items()) + "}"
    raise TypeError(type(value))


def ascii_json(text):
    """JSON in ASCII: what stands in no string is there already, and half a surrogate pair can be written too."""
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


def utf8(text):
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput("lone surrogate")


def load(text):
    """json.loads that keeps number tokens which Python would spell differently."""
    return json.loads(text, parse_float=Raw, parse_int=number)


def number(token):
    """An int where the token is a plain integer of the specification, else the token itself."""
    plain = re.fullmatch(r"0|[1-9][0-9]{0,15}", token, re.ASCII)
    return int(token) if plain and int(token) <= LARGEST_INTEGER else Raw(token)


def ordered(value, order, what):
    unknown = set(value) - set(order)
    if unknown:
        raise BadInput("%s: unknown member" % what)
    return {name: value[name] for name in order if name in value}


# Keys


def label(word, cid):
    return b"waxwing/1 " + word.encode("ascii") + b"\0" + cid.encode("ascii")


def hkdf_expand(key, info, length):
    """RFC 5869, section 2.3."""
    out, block, n = b"", b"", 0
    while len(out) < length:
        n += 1
        block = hmac.new(key, block + info + bytes([n]), hashlib.sha256).digest()
        out += block
    return out[:length]


def next_secret(secret, cid):
    return hkdf_expand(secret, label("next", cid), 32)


def stepped(secret, cid, steps):
    for _ in range(steps):
        secret = next_secret(secret, cid)
    return secret


def gcm_key(secret, cid):
    return hkdf_expand(secret, label("A256GCM", cid), 32)


def preshared_key(secret, cid):
    return hkdf_expand(secret, label("HPKE-7", cid), 32)


def is_cid(cid):
    return isinstance(cid, str) and re.fullmatch(r"[\x21-\x7e]{1,64}", cid) is not None


def parse_kid(kid):
    """(handle, epoch)"""
    m = re.fullmatch(r"([A-Za-z0-9_-]{16})\.(0|[1-9][0-9]{0,4})", kid, re.ASCII) if isinstance(kid, str) else None
    if not m or int(m.group(2)) > LAST_EPOCH:
        raise ValueError("not a KID")
    return m.group(1), int(m.group(2))


def thumbprint(jwk):
    """RFC 7638 over the four required members of an EC key."""
    text = compact({"crv": jwk["crv"], "kty": jwk["kty"], "x": jwk["x"], "y": jwk["y"]})
    return b64url(hashlib.sha256(text.encode("ascii")).digest())


def public_bytes(jwk):
    return b"\x04" + unb64url(jwk["x"], 32) + unb64url(jwk["y"], 32)


def recipient_bytes(jwk):
    """The point that is sealed to."""
    try:
        point = public_bytes(jwk)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadInput("not a point of P-256")
    return point


def point_with_small_x():
    """(x, y) of a point whose x has a second spelling of 32 bytes, x + P256_FIELD."""
    for x in range(1, 99):
        square = (x**3 - 3 * x + P256_B) % P256_FIELD
        y = pow(square, (P256_FIELD + 1) // 4, P256_FIELD)
        if y * y % P256_FIELD == square:
            return x, y


def private_key(scalar):
    return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())


def point_of(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_jwk(point):
    return {"kty": "EC", "crv": "P-256", "x": b64url(point[1:33]), "y": b64url(point[33:]), "alg": "HPKE-7", "use": "enc"}


# HPKE, RFC 9180: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM

KEM_SUITE = b"KEM" + struct.pack(">H", 0x0010)
HPKE_SUITE = b"HPKE" + struct.pack(">HHH", 0x0010, 0x0001, 0x0002)
MODE_BASE, MODE_PSK = 0, 1


def labeled_extract(suite, salt, name, ikm):
    return hmac.new(salt or bytes(32), b"HPKE-v1" + suite + name + ikm, hashlib.sha256).digest()


def labeled_expand(suite, prk, name, info, length):
    return hkdf_expand(prk, struct.pack(">H", length) + b"HPKE-v1" + suite + name + info, length)


def kem_secret(dh, enc, recipient):
    prk = labeled_extract(KEM_SUITE, b"", b"eae_prk", dh)
    return labeled_expand(KEM_SUITE, prk, b"shared_secret", enc + recipient, 32)


def key_schedule(shared, psk, psk_id, info=b"", mode=MODE_PSK):
    """A dictionary of every intermediate value; `key` and `nonce` are what sequence number 0 uses."""
    psk_id_hash = labeled_extract(HPKE_SUITE, b"", b"psk_id_hash", psk_id)
    info_hash = labeled_extract(HPKE_SUITE, b"", b"info_hash", info)
    context = bytes([mode]) + psk_id_hash + info_hash
    secret = labeled_extract(HPKE_SUITE, shared, b"secret", psk)
    return {
        "psk_id_hash": psk_id_hash, "info_hash": info_hash, "context": context, "secret": secret,
        "key": labeled_expand(HPKE_SUITE, secret, b"key", context, 32),
        "nonce": labeled_expand(HPKE_SUITE, secret, b"base_nonce", context, 12),
    }


def hpke_seal(recipient, ephemeral, psk, psk_id, aad, plaintext, info=b"", mode=MODE_PSK, spelled=lambda point: point):
    """(encapsulated key, ciphertext with its tag) for a 65-byte recipient point and a 32-byte ephemeral scalar.

    `spelled` writes the encapsulated key in another way, as it then counts on both sides.
    """
    key = private_key(ephemeral)
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), recipient)
    enc = spelled(point_of(key))
    return enc, hpke_sealed(key.exchange(ec.ECDH(), peer), enc, recipient, psk, psk_id, aad, plaintext, info, mode)


def hpke_sealed(dh, enc, recipient, psk, psk_id, aad, plaintext, info=b"", mode=MODE_PSK):
    schedule = key_schedule(kem_secret(dh, enc, recipient), psk, psk_id, info, mode)
    return AESGCM(schedule["key"]).encrypt(schedule["nonce"], plaintext, aad)


def hpke_open(scalar, enc, psk, psk_id, aad, ciphertext, info=b"", mode=MODE_PSK):
    key = private_key(scalar)
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc)
    shared = kem_secret(key.exchange(ec.ECDH(), peer), enc, point_of(key))
    schedule = key_schedule(shared, psk, psk_id, info, mode)
    return AESGCM(schedule["key"]).decrypt(schedule["nonce"], ciphertext, aad)


# Claims


def depth(value):
    """How many containers deep, the outermost counted."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_INTEGER


def is_bytes_of(value, length):
    try:
        unb64url(value, length)
        return True
    except ValueError:
        return False


def is_https(url):
    return isinstance(url, str) and re.fullmatch(r"https://[\x21-\x7e]+", url) is not None


def claims_fault(claims, cid):
    """None, or which claim is not as the specification's table says. Used by both the sealer and the opener here."""
    if not isinstance(claims, dict):
        return "not an object"
    if "nbf" in claims:
        return "nbf"
    if not is_bytes_of(claims.get("jti"), 16):
        return "jti"
    if not is_integer(claims.get("iat")):
        return "iat"
    if "exp" in claims:
        exp = claims["exp"]
        if not is_integer(exp) or not claims["iat"] < exp <= claims["iat"] + LIFETIME:
            return "exp"
    if claims.get("sub") != cid or not is_cid(cid):
        return "sub"
    for name in ("title", "subtitle", "body"):
        if name in claims and not isinstance(claims[name], str):
            return name
    for name in ("loc_title", "loc_body"):
        if name not in claims:
            continue
        loc = claims[name]
        if not isinstance(loc, dict) or not isinstance(loc.get("key"), str) or not isinstance(loc.get("args"), dict):
            return name
        if not all(isinstance(v, str) for v in loc["args"].values()):
            return name
    if not any(name in claims for name in ("title", "body", "loc_title", "loc_body")):
        return "nothing to show"
    for name in ("thread", "category"):
        if name in claims and not (isinstance(claims[name], str) and 1 <= len(utf8(claims[name])) <= 64):
            return name
    if "image" in claims:
        image = claims["image"]
        if not isinstance(image, dict) or not is_https(image.get("url")):
            return "image"
        if any(name in image and not is_bytes_of(image[name], 32) for name in ("sha256", "key")):
            return "image"
    if "data" in claims and not isinstance(claims["data"], dict):
        return "data"
    if "trunc" in claims and claims["trunc"] is not True:
        return "trunc"
    return None


def write_claims(claims):
    if depth(claims) > DEEPEST:
        raise BadInput("claims: too deep")
    claims = ordered(claims, CLAIM_ORDER, "claims")
    if "image" in claims:
        claims["image"] = ordered(claims["image"], ("url", "sha256", "key"), "image")
    for name in ("loc_title", "loc_body"):
        if name in claims:
            claims[name] = ordered(claims[name], ("key", "args"), name)
    return utf8(compact(claims))


# Sealing


def jwe_header(alg, kid, dkid=None, psk_id=None, typ="wax1"):
    if alg == "dir":
        return b64url(utf8(compact({"alg": "dir", "enc": "A256GCM", "kid": kid, "typ": typ})))
    return b64url(utf8(compact({"alg": "HPKE-7", "kid": dkid, "psk_id": b64url((psk_id or kid).encode("ascii")), "typ": typ})))


def jwe_dir(key, iv, header, plaintext):
    sealed = AESGCM(key).encrypt(iv, plaintext, header.encode("ascii"))
    return ".".join((header, "", b64url(iv), b64url(sealed[:-16]), b64url(sealed[-16:])))


def jwe_hpke(recipient, ephemeral, psk, psk_id, header, plaintext):
    enc, sealed = hpke_seal(recipient, ephemeral, psk, psk_id, header.encode("ascii"), plaintext)
    return ".".join((header, b64url(enc), "", b64url(sealed), ""))


def jwe_length(alg, header, count):
    if alg == "dir":
        return len(header) + 4 + b64url_length(12) + b64url_length(count) + b64url_length(16)
    return len(header) + 4 + b64url_length(65) + b64url_length(count + 16)


def render(seal, sealed):
    """The payload's bytes around an `encrypted_payload`."""
    members = {"type": seal["type"], "body": seal["body"]}
    if "image_url" in seal:
        members["image_url"] = seal["image_url"]
    members["encrypted_payload"] = sealed
    if seal["rendering"] == "fcm":
        return utf8(compact(members))
    aps = dict(aps_of(seal), **{"mutable-content": 1})
    aps["alert"] = ordered(aps["alert"], ALERT_ORDER, "alert")
    return utf8(compact({"aps": ordered(aps, APS_ORDER, "aps"), **members}))


def aps_of(seal):
    return seal["aps"] if "aps" in seal else {"alert": {"body": seal["body"]}}


def counted(seal, payload):
    """How many bytes of the limit a payload uses."""
    if seal["rendering"] == "apns":
        return len(payload)
    return sum(len(k.encode("utf-8")) + len(v.encode("utf-8")) for k, v in json.loads(payload).items())


def cut(claims, room):
    """The claims with as much of the body as fits into `room`, or DoesNotFit."""
    if "body" not in claims:
        raise DoesNotFit("nothing that may be cut")
    clusters = regex.findall(r"\X", claims["body"])
    low, high, best = 0, len(clusters), None
    while low <= high:
        middle = (low + high) // 2
        attempt = dict(claims, body="".join(clusters[:middle]) + "\u2026", trunc=True)
        if len(write_claims(attempt)) <= room:
            best, low = attempt, middle + 1
        else:
            high = middle - 1
    if best is None:
        raise DoesNotFit("body cut to nothing")
    return best


def padded(plaintext, policy, room):
    if policy == "none":
        return plaintext
    target = room
    if policy == "bucket":
        bucket = next((b for b in BUCKETS if b >= len(plaintext)), None)
        if bucket is not None and bucket <= room:
            target = bucket
    return plaintext + b" " * (target - len(plaintext))


def check_envelope(seal):
    if seal["rendering"] not in ("apns", "fcm"):
        raise BadInput("rendering")
    if not isinstance(seal["type"], str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", seal["type"], re.ASCII):
        raise BadInput("type")
    if not isinstance(seal["body"], str):
        raise BadInput("body")
    if "image_url" in seal and not is_https(seal["image_url"]):
        raise BadInput("image_url")
    if seal["rendering"] == "apns":
        check_aps(aps_of(seal))


def check_aps(aps):
    """docs/spec/envelope.md, section 3.2."""
    if not isinstance(aps, dict) or not isinstance(aps.get("alert"), dict) or not aps["alert"]:
        raise BadInput("alert")
    if not all(isinstance(v, str) for v in aps["alert"].values()):
        raise BadInput("a member of alert is no string")
    kinds = {
        "alert": lambda v: True, "sound": lambda v: isinstance(v, (str, dict)) and depth(v) + 2 <= DEEPEST, "badge": is_integer,
        "relevance-score": lambda v: isinstance(v, (int, Raw)) and not isinstance(v, bool),
    }
    for name, value in aps.items():
        if name not in APS_ORDER or name == "mutable-content" or not kinds.get(name, lambda v: isinstance(v, str))(value):
            raise BadInput("aps." + name)


def seal_split(seal):
    if seal["rendering"] != "apns":
        raise BadInput("split is for APNs only")
    sealed = AESGCM(unb64url(seal["key"]["k"], 32)).encrypt(unb64url(seal["iv"], 12), utf8(seal["text"]), None)
    fields = {"ciphertext": sealed[:-16], "nonce": unb64url(seal["iv"], 12), "tag": sealed[-16:]}
    payload = render(seal, {k: base64.b64encode(v).decode("ascii") for k, v in fields.items()})
    if counted(seal, payload) > seal["limit"]:
        raise DoesNotFit("split text")
    return payload


def seal_payload(seal):
    """The payload's bytes for the `seal` object of a case (docs/spec/cases.md)."""
    check_envelope(seal)
    if seal["alg"] == "split":
        return seal_split(seal)
    if seal["alg"] not in ("dir", "HPKE-7"):
        raise BadInput("alg")
    key, claims = seal["key"], seal["claims"]
    try:
        parse_kid(key["kid"])
        secret = unb64url(key["k"], 32)
    except ValueError as e:
        raise BadInput(str(e))
    fault = claims_fault(claims, key["sub"])
    if fault:
        raise BadInput("claims: " + fault)
    if seal["alg"] == "dir":
        header = jwe_header("dir", key["kid"])
    else:
        recipient = recipient_bytes(seal["device"])
        header = jwe_header("HPKE-7", key["kid"], thumbprint(seal["device"]))
    plaintext = write_claims(claims)
    if seal["pad"] not in ("bucket", "full", "none"):
        raise BadInput("padding")
    left = seal["limit"] - counted(seal, render(seal, ""))
    if jwe_length(seal["alg"], header, 0) > left:
        raise DoesNotFit("the envelope alone")
    room = max(n for n in range(left + 1) if jwe_length(seal["alg"], header, n) <= left)
    if len(plaintext) > room:
        plaintext = write_claims(cut(claims, room))
    plaintext = padded(plaintext, seal["pad"], room)
    if seal["alg"] == "dir":
        sealed = jwe_dir(gcm_key(secret, key["sub"]), unb64url(seal["iv"], 12), header, plaintext)
    else:
        sealed = jwe_hpke(
            recipient, unb64url(seal["ephemeral"], 32), preshared_key(secret, key["sub"]),
            key["kid"].encode("ascii"), header, plaintext)
    payload = render(seal, sealed)
    if counted(seal, payload) > seal["limit"]:
        raise AssertionError("over the limit")
    return payload


# Bundles


def bundle_fault(jwk):
    """None, or which member of a bundle's JWK is not as the specification says."""
    if not isinstance(jwk, dict):
        return "not an object"
    if jwk.get("kty") != "oct" or not is_bytes_of(jwk.get("k"), 32) or jwk.get("use") != "enc":
        return "kty, k or use"
    try:
        parse_kid(jwk.get("kid"))
    except ValueError:
        return "kid"
    if jwk.get("jwe_alg") not in ("dir", "HPKE-7") or not isinstance(jwk["jwe_alg"], str):
        return "jwe_alg"
    if not is_cid(jwk.get("sub")) or not is_integer(jwk.get("seq")):
        return "sub or seq"
    if not is_integer(jwk.get("iat")) or not is_integer(jwk.get("exp")):
        return "iat or exp"
    if not jwk["iat"] < jwk["exp"] <= jwk["iat"] + LIFETIME:
        return "exp"
    if not isinstance(jwk.get("accessible"), str) or jwk["accessible"] not in CLASSES:
        return "accessible"
    return None


def seal_bundle(request):
    """The compact string for the `seal_bundle` object of a case."""
    jwk = {"kty": "oct", "use": "enc"}
    jwk.update({name: request[name] for name in JWK_ORDER if name in request})
    jwk = ordered(jwk, JWK_ORDER, "jwk")
    fault = bundle_fault(jwk)
    if fault:
        raise BadInput("bundle: " + fault)
    recipient = recipient_bytes(request["device"])
    if not is_bytes_of(request["enrollment_secret"], 32):
        raise BadInput("enrollment_secret")
    header = jwe_header("HPKE-7", None, thumbprint(request["device"]), "enroll", "wax1-key")
    return jwe_hpke(
        recipient, unb64url(request["ephemeral"], 32), unb64url(request["enrollment_secret"], 32), b"enroll", header, utf8(compact(jwk)))
