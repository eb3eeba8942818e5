"""The opening half of profile wax1, a second time: a device that lives in a dictionary.

Written from docs/spec/envelope.md (sections 8 to 10) and docs/spec/bundle.md. It judges the project's own vectors before they
are committed and answers case files, so that a difference with the Swift opener points at one of the two or at the text.
"""

import base64
import copy
import json
import re

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import waxwing as w

DAY = 86400
GRACE = 35 * DAY
REACH = 512
AHEAD = 600
LONGEST_VALUE = 8192
CONTENT = (
    "title", "subtitle", "body", "loc_title", "loc_body", "thread", "category", "image", "data", "trunc",
)


class Refused(Exception):
    """Carries the outcome."""


def strict_json(data):
    """The value, or ValueError: RFC 8259 as the specification narrows it."""
    text = data.decode("utf-8")
    if text.startswith("\ufeff"):
        raise ValueError("byte order mark")
    depth, inside, escaped = 0, False, False
    for c in text:
        if inside:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == '"':
                inside = False
        elif c == '"':
            inside = True
        elif c in "[{":
            depth += 1
            if depth > w.DEEPEST:
                raise ValueError("too deep")
        elif c in "]}":
            depth -= 1

    def pairs(members):
        out = dict(members)
        if len(out) != len(members):
            raise ValueError("a member twice")
        for name in out:
            name.encode("utf-8")
        return out

    def constant(_):
        raise ValueError("not a JSON number")

    value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=w.Raw, parse_int=w.number)
    w.compact(value).encode("utf-8")  # a lone surrogate cannot be written
    return value


def readable(accessible, lock):
    if lock == "unlocked":
        return True
    return lock == "locked" and accessible.startswith("after-first-unlock")


def earliest(*ends):
    given = [e for e in ends if e is not None]
    return min(given) if given else None


class Epoch:
    def __init__(self, secret, open_until):
        self.secret, self.open_until = secret, open_until


class HandleRecord:
    """One handle: every epoch held under it; its own end is the newest epoch's."""

    def __init__(self, cid, alg, state, open_until, accessible):
        self.cid, self.alg, self.state = cid, alg, state
        self.open_until, self.accessible = open_until, accessible
        self.epochs = {}
        self.has_opened = False

    @property
    def newest(self):
        return max(self.epochs)

    def end_of(self, n):
        return self.open_until if n == self.newest else earliest(self.epochs[n].open_until, self.open_until)

    def is_erased(self, n, now):
        end = self.end_of(n)
        return end is not None and now > end

    def advance(self, n, secret, now):
        """A newer epoch becomes the newest; the one before stays for a while."""
        before = self.newest
        self.epochs[before].open_until = earliest(now + GRACE, self.open_until)
        self.epochs[n] = Epoch(secret, None)


class Device:
    def __init__(self, ring):
        ring = copy.deepcopy(ring)
        device = ring.get("device")
        self.scalar = w.unb64url(device["jwk"]["d"]) if device else None
        self.dkid = w.thumbprint(device["jwk"]) if device else None
        self.device_class = (device or {}).get("accessible", "after-first-unlock")
        self.enrollment_secret = w.unb64url(device["enrollment_secret"]) if device and "enrollment_secret" in device else None
        self.last_seq = (device or {}).get("last_seq")
        self.allow_split = ring.get("allow_split", False)
        self.split_keys = ring.get("split_keys", [])
        self.remembered = set()
        self.handles = {}
        for key in ring.get("keys", []):
            handle, epoch = w.parse_kid(key["kid"])
            record = HandleRecord(key["sub"], key["jwe_alg"], key["state"], key["open_until"], key["accessible"])
            record.epochs[epoch] = Epoch(w.unb64url(key["k"], 32), None)
            for older in key.get("older", []):
                record.epochs[w.parse_kid(older["kid"])[1]] = Epoch(w.unb64url(older["k"], 32), older["open_until"])
            self.handles[handle] = record

    # Pushes

    def open(self, payload, env, entry=None):
        """{"outcome": ...} with content and replay_unchecked as a case's answer has them; with `value`, entry at step 3."""
        try:
            if entry != "value" and len(payload) > env.get("limit", 5120):
                raise Refused("too-large")
            try:
                value = strict_json(payload)
            except (ValueError, RecursionError):
                raise Refused("malformed")
            if not isinstance(value, dict):
                raise Refused("malformed")
            if "encrypted_payload" not in value:
                raise Refused("not-sealed")
            sealed = value["encrypted_payload"]
            if isinstance(sealed, dict):
                return self.open_split(sealed, env)
            if not isinstance(sealed, str):
                raise Refused("malformed")
            if entry == "value" and len(sealed.encode("utf-8")) > LONGEST_VALUE:
                raise Refused("too-large")
            return self.open_jwe(sealed, env)
        except Refused as r:
            return {"outcome": str(r)}

    def open_jwe(self, text, env):
        header, parts = read_jwe(text, "wax1")
        now = env["now"]
        kid = header["kid"] if header["alg"] == "dir" else header["psk_id"]
        handle, n = w.parse_kid(kid)
        if header["alg"] == "HPKE-7" and header["kid"] != self.dkid:
            raise Refused("unknown-key")
        record = self.handles.get(handle)
        held = max((e for e in record.epochs if e <= n), default=None) if record else None
        if held is None or n - held > REACH:
            raise Refused("unknown-key")
        if record.alg != header["alg"]:
            raise Refused("unsupported")
        if record.state in ("compromised", "suspended", "destroyed"):
            raise Refused("key-revoked")
        if record.is_erased(held, now):
            raise Refused("key-retired")
        if not readable(record.accessible, env["lock"]):
            raise Refused("key-locked")
        if header["alg"] == "HPKE-7" and not readable(self.device_class, env["lock"]):
            raise Refused("key-locked")
        secret = w.stepped(record.epochs[held].secret, record.cid, n - held)
        aad = parts[0].encode("ascii")
        try:
            if header["alg"] == "dir":
                plaintext = AESGCM(w.gcm_key(secret, record.cid)).decrypt(parts[2], parts[3] + parts[4], aad)
            else:
                psk = w.preshared_key(secret, record.cid)
                plaintext = w.hpke_open(self.scalar, parts[1], psk, kid.encode("ascii"), aad, parts[3])
        except (InvalidTag, ValueError):
            raise Refused("not-authentic")
        try:
            claims = strict_json(plaintext)
        except (ValueError, RecursionError):
            raise Refused("bad-claims")
        if w.claims_fault(claims, record.cid):
            raise Refused("bad-claims")
        if now >= claims.get("exp", claims["iat"] + w.LIFETIME):
            raise Refused("expired")
        if claims["iat"] > now + AHEAD:
            raise Refused("not-yet-valid")
        answer = {"outcome": "opened", "content": content(claims)}
        if env.get("replay", "ok") == "ok":
            name = (record.cid, claims["jti"])
            if name in self.remembered or list(name) in env.get("seen", []):
                raise Refused("duplicate")
            self.remembered.add(name)
        else:
            answer["replay_unchecked"] = True
        if n > record.newest:
            record.advance(n, secret, now)
        if not record.has_opened:
            record.has_opened = True
            self.deactivate_before(handle, now)
        return answer

    def deactivate_before(self, handle, now):
        mine = self.handles[handle]
        for other, record in self.handles.items():
            if other == handle:
                return
            if (record.cid, record.alg) != (mine.cid, mine.alg) or record.state in ("compromised", "suspended", "destroyed"):
                continue
            record.state = "deactivated"
            record.open_until = earliest(record.open_until, now + GRACE)

    def open_split(self, sealed, env):
        if not self.allow_split:
            raise Refused("unsupported")
        try:
            if set(sealed) != {"ciphertext", "nonce", "tag"}:
                raise ValueError("members")
            fields = {name: canonical_base64(sealed[name]) for name in sealed}
            if len(fields["nonce"]) != 12 or len(fields["tag"]) != 16:
                raise ValueError("lengths")
        except ValueError:
            raise Refused("malformed")
        keys = self.split_keys
        if not keys:
            raise Refused("unknown-key")
        keys = [k for k in keys if k["state"] not in ("compromised", "suspended", "destroyed")]
        if not keys:
            raise Refused("key-revoked")
        keys = [k for k in keys if k["open_until"] is None or env["now"] <= k["open_until"]]
        if not keys:
            raise Refused("key-retired")
        mine = [k for k in keys if readable(k["accessible"], env["lock"])]
        if not mine:
            raise Refused("key-locked")
        texts = []
        for key in mine:
            try:
                texts.append(AESGCM(w.unb64url(key["k"], 32)).decrypt(fields["nonce"], fields["ciphertext"] + fields["tag"], None))
            except InvalidTag:
                pass
        if not texts and len(mine) < len(keys):
            raise Refused("key-locked")
        if len(texts) != 1:
            raise Refused("not-authentic")
        try:
            body = texts[0].decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("bad-claims")
        return {"outcome": "opened", "content": {"body": body}, "replay_unchecked": True}

    # Bundles

    def accept(self, text, env):
        try:
            return self.accept_or_refuse(text, env)
        except Refused as r:
            return {"outcome": str(r)}

    def accept_or_refuse(self, text, env):
        header, parts = read_jwe(text, "wax1-key")
        now = env["now"]
        if header["kid"] != self.dkid:
            raise Refused("unknown-key")
        if not readable(self.device_class, env["lock"]):
            raise Refused("key-locked")
        try:
            plaintext = w.hpke_open(
                self.scalar, parts[1], self.enrollment_secret, b"enroll", parts[0].encode("ascii"), parts[3])
        except (InvalidTag, ValueError):
            raise Refused("not-authentic")
        try:
            jwk = strict_json(plaintext)
        except (ValueError, RecursionError):
            raise Refused("bad-claims")
        if w.bundle_fault(jwk):
            raise Refused("bad-claims")
        if now >= jwk["exp"]:
            raise Refused("expired")
        if jwk["iat"] > now + AHEAD:
            raise Refused("not-yet-valid")
        if self.last_seq is not None and jwk["seq"] <= self.last_seq:
            raise Refused("replayed")
        handle, n = w.parse_kid(jwk["kid"])
        secret = w.unb64url(jwk["k"], 32)
        split = [k for k in self.split_keys if k["state"] != "destroyed" and (k["open_until"] is None or now <= k["open_until"])]
        here = [k for k in split if readable(k["accessible"], env["lock"])]
        if any(w.unb64url(k["k"]) == secret for k in here):
            raise Refused("conflict")
        record = self.handles.get(handle)
        if record is not None:
            self.hold_against(record, n, secret, jwk, env)
        if len(here) < len(split):
            raise Refused("key-locked")
        if record is None:
            record = HandleRecord(jwk["sub"], jwk["jwe_alg"], "active", None, jwk["accessible"])
            record.epochs[n] = Epoch(secret, None)
            self.handles[handle] = record
        elif n > record.newest:
            record.advance(n, secret, now)
        elif n not in record.epochs:
            record.epochs[n] = Epoch(secret, earliest(now + GRACE, record.open_until))
        self.last_seq = jwk["seq"]
        return {"outcome": "installed", "key": {
            "sub": jwk["sub"], "jwe_alg": jwk["jwe_alg"], "kid": jwk["kid"], "k": jwk["k"],
            "accessible": jwk["accessible"], "seq": jwk["seq"]}}

    def hold_against(self, record, n, secret, jwk, env):
        """A further bundle of a known handle: refused, or it belongs there."""
        if (record.cid, record.alg) != (jwk["sub"], jwk["jwe_alg"]):
            raise Refused("conflict")
        if record.state in ("compromised", "destroyed") or record.is_erased(record.newest, env["now"]):
            raise Refused("conflict")
        # The epoch whose bytes are looked at, and the steps to it from the bundle's, or from it to the bundle's.
        if n > record.newest:
            at, before, after = record.newest, 0, n - record.newest
            if after > REACH:
                return
        else:
            at = min(e for e in record.epochs if e >= n)
            before, after = at - n, 0
            if before > REACH or record.is_erased(at, env["now"]):
                raise Refused("conflict")
        if not readable(record.accessible, env["lock"]):
            raise Refused("key-locked")
        if w.stepped(secret, record.cid, before) != w.stepped(record.epochs[at].secret, record.cid, after):
            raise Refused("conflict")


def canonical_base64(text):
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text, re.ASCII) or len(text) % 4:
        raise ValueError("not base64")
    data = base64.b64decode(text)
    if base64.b64encode(data).decode("ascii") != text:
        raise ValueError("not canonical base64")
    return data


def read_jwe(text, typ):
    """(header with psk_id decoded, five parts: the first as text, the rest as bytes), or Refused."""
    try:
        parts = text.split(".")
        if len(parts) != 5:
            raise ValueError("parts")
        decoded = [w.unb64url(p) for p in parts]
        header = strict_json(decoded[0])
        if not isinstance(header, dict) or not all(isinstance(v, str) for v in header.values()):
            raise ValueError("header")
        if "alg" not in header or "kid" not in header:
            raise ValueError("alg or kid absent")
    except (ValueError, RecursionError):
        raise Refused("malformed")
    if header.get("typ") != typ:
        raise Refused("unsupported")
    if header["alg"] not in (("dir", "HPKE-7") if typ == "wax1" else ("HPKE-7",)):
        raise Refused("unsupported")
    if header["alg"] == "dir" and header.get("enc", "A256GCM") != "A256GCM":
        raise Refused("unsupported")
    try:
        if header["alg"] == "dir":
            if set(header) != {"alg", "enc", "kid", "typ"}:
                raise ValueError("members")
            if [len(p) for p in (decoded[1], decoded[2], decoded[4])] != [0, 12, 16]:
                raise ValueError("lengths")
            w.parse_kid(header["kid"])
        else:
            if set(header) != {"alg", "kid", "psk_id", "typ"}:
                raise ValueError("members")
            if decoded[2] or decoded[4] or len(decoded[3]) < 16:
                raise ValueError("lengths")
            if len(decoded[1]) != 65 or decoded[1][0] != 4:
                raise ValueError("point")
            w.unb64url(header["kid"], 32)
            psk_id = w.unb64url(header["psk_id"]).decode("ascii")
            if typ == "wax1":
                w.parse_kid(psk_id)
            elif psk_id != "enroll":
                raise ValueError("psk_id")
            header = dict(header, psk_id=psk_id)
    except ValueError:
        raise Refused("malformed")
    return header, [parts[0]] + decoded[1:]


def content(claims):
    out = {name: claims[name] for name in CONTENT if name in claims}
    if "image" in out:
        out["image"] = {k: v for k, v in out["image"].items() if k in ("url", "sha256", "key")}
    for name in ("loc_title", "loc_body"):
        if name in out:
            out[name] = {k: v for k, v in out[name].items() if k in ("key", "args")}
    return out
