"""Faults to plant in the second implementation, one at a time: near misses that find none of them would show nothing."""

import contextlib
import json
import re
import unicodedata

import enrollment
import opener
import waxwing as w


def lenient_base64url(text, length=None):
    import base64
    data = base64.urlsafe_b64decode(str(text).rstrip("=") + "===")
    if length is not None and len(data) != length:
        raise ValueError("length")
    return data


def json_with(**more):
    """strict_json without its own checks."""
    def read(data):
        return json.loads(data.decode("utf-8"), parse_float=w.Raw, parse_int=w.number, **more)
    return read


def folded_names(data):
    value = STRICT(data)
    names = list(value) if isinstance(value, dict) else []
    if len({unicodedata.normalize("NFC", name) for name in names}) < len(names):
        raise ValueError("a member twice")
    return value


def without_d(document):
    document["jwk"].pop("d", None)
    return document


STRICT, INTEGER, FAULT, PARSED, JWE, CUT, DOCUMENT = (
    opener.strict_json, w.is_integer, w.claims_fault, w.parse_kid, opener.read_jwe, w.cut, enrollment.document_of)


def changed_claims(**defaults):
    return lambda claims, cid: FAULT({**claims, **{n: d for n, d in defaults.items() if n in claims}} if isinstance(claims, dict) else claims, cid)


FAULTS = (
    ("base64url that is not canonical", w, "unb64url", lenient_base64url),
    ("17 deep", w, "DEEPEST", 17),
    ("15 deep", w, "DEEPEST", 15),
    ("a name twice, half a surrogate pair, any depth", opener, "strict_json", json_with()),
    ("names that are the same after normalisation are one", opener, "strict_json", folded_names),
    ("integers with a fraction or an exponent", w, "is_integer", lambda v: INTEGER(v) or isinstance(v, w.Raw) and re.fullmatch(r"[0-9]+(\.0+)?(e0)?", v.token) is not None),
    ("true is an integer", w, "is_integer", lambda v: INTEGER(v) or v is True),
    ("31 days and a second", w, "LIFETIME", w.LIFETIME + 1),
    ("601 seconds ahead", opener, "AHEAD", opener.AHEAD + 1),
    ("513 steps", opener, "REACH", opener.REACH + 1),
    ("511 steps", opener, "REACH", opener.REACH - 1),
    ("35 days and a second", opener, "GRACE", opener.GRACE + 1),
    ("before the first unlock as after it", opener, "readable", lambda accessible, lock: lock == "unlocked" or accessible.startswith("after-first-unlock")),
    ("addresses with any letters", w, "is_https", lambda url: isinstance(url, str) and url.lower().startswith("https://")),
    ("a KID with leading zeros", w, "parse_kid", lambda kid: PARSED(re.sub(r"\.0+(?=.)", ".", kid) if isinstance(kid, str) else kid)),
    ("a KID of any epoch", w, "LAST_EPOCH", 99999),
    ("trunc of any value", w, "claims_fault", changed_claims(trunc=True)),
    ("data of any value", w, "claims_fault", changed_claims(data={})),
    ("threads of any length", w, "claims_fault", changed_claims(thread="t")),
    ("nbf is passed over", w, "claims_fault", lambda claims, cid: FAULT({n: v for n, v in claims.items() if n != "nbf"} if isinstance(claims, dict) else claims, cid)),
    ("typ is passed over", opener, "read_jwe", lambda text, typ: JWE(text, typ if typ in str(text) else "wax1")),
    ("unknown members of image are content", opener, "content", lambda claims: {n: claims[n] for n in opener.CONTENT if n in claims}),
    ("earlier handles are not retired", opener.Device, "deactivate_before", lambda self, handle, now: None),
    ("the epoch before has no end", opener.HandleRecord, "advance", lambda self, n, secret, now: self.epochs.update({n: opener.Epoch(secret, None)})),
    ("bundles are held against nothing", opener.Device, "hold_against", lambda self, record, n, secret, jwk, env: None),
    ("what is past its end is not erased", opener.HandleRecord, "is_erased", lambda self, n, now: False),
    ("no padding to buckets", w, "BUCKETS", (255,) + w.BUCKETS[1:]),
    ("a body is cut by a cluster more", w, "cut", lambda claims, room: CUT(claims, room - 4)),
    ("types in aps are passed over", w, "check_aps", lambda aps: None),
    ("an enrollment with a private key", enrollment, "document_of", lambda data: DOCUMENT(json.dumps(without_d(json.loads(data))).encode() if b'"d"' in data else data)),
    ("points off the curve", w, "recipient_bytes", w.public_bytes),
    ("any letters in type", w, "check_envelope", lambda seal: None),
)


@contextlib.contextmanager
def planted(where, name, value):
    before = getattr(where, name)
    setattr(where, name, value)
    try:
        yield
    finally:
        setattr(where, name, before)
