#!/usr/bin/env python3
"""The worked examples of the specification: worked_example.py [--write | --check]

Computes every value from a few fixed inputs and prints the examples as they stand in the pages of docs/spec between the lines `<!-- worked example: begin -->` and `<!-- worked example: end -->`. --check compares the
documents with it (exit status 1 when one differs), --write puts it there.
"""

import hashlib
import os
import sys
import textwrap

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt, crypto_sign, crypto_sign_seed_keypair

import at_rest
import attachment
import backup
import opener
import waxwing as w
from audit_log import blake2b, encode

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = os.path.join(HERE, "..", "..", "docs", "spec")
BEGIN, END = "<!-- worked example: begin -->\n", "<!-- worked example: end -->\n"
IAT = 1900000000
ALERT = {"alert": {"title": "Waxwing", "body": "New message"}, "sound": "default"}


def made_up(name, length):
    return hashlib.sha256(b"waxwing worked example, " + name.encode("ascii")).digest()[:length]


CID = "kitchen-42"
SECRET = made_up("conversation secret", 32)
HANDLE = w.b64url(made_up("handle", 12))
SECRET_HPKE = made_up("conversation secret for HPKE-7", 32)
HANDLE_HPKE = w.b64url(made_up("handle for HPKE-7", 12))
JTI = w.b64url(made_up("jti", 16))
IV = made_up("iv", 12)
DEVICE = made_up("device key", 32)
EPHEMERAL = made_up("ephemeral key", 32)
ENROLLMENT = made_up("enrollment secret", 32)
BUNDLE_EPHEMERAL = made_up("ephemeral key of the bundle", 32)


class Page:
    def __init__(self):
        self.lines = []

    def say(self, text):
        self.lines += [textwrap.fill(text, 130, break_long_words=False, break_on_hyphens=False), ""]

    def table(self, *rows):
        self.lines.append("```")
        width = max(len(name) for name, _ in rows) + 2
        for name, value in rows:
            self.lines.append(name.ljust(width) + (value.hex() if isinstance(value, bytes) else value))
        self.lines += ["```", ""]

    def text(self):
        return "\n".join(self.lines)


def device_jwk():
    return w.public_jwk(w.point_of(w.private_key(DEVICE)))


def hpke_rows(recipient, ephemeral, psk, psk_id):
    key = w.private_key(ephemeral)
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), recipient)
    dh, enc = key.exchange(ec.ECDH(), peer), w.point_of(key)
    shared = w.kem_secret(dh, enc, recipient)
    schedule = w.key_schedule(shared, psk, psk_id)
    rows = [
        ("ephemeral private key", ephemeral), ("encapsulated key", enc), ("ECDH x coordinate", dh), ("shared_secret", shared),
        ("psk", psk), ("psk_id", psk_id.decode("ascii")), ("psk_id_hash", schedule["psk_id_hash"]), ("info_hash", schedule["info_hash"]),
        ("key_schedule_context", schedule["context"]), ("secret", schedule["secret"]), ("key", schedule["key"]), ("base_nonce", schedule["nonce"]),
    ]
    return rows, enc, schedule


def envelope_example():
    p = Page()
    jwk = device_jwk()
    dkid = w.thumbprint(jwk)
    c1 = w.next_secret(SECRET, CID)
    p.say("All values are made up. Byte strings are in hexadecimal.")
    p.say("**Keys for `dir`.** The conversation has been ratcheted once, so epoch 1 seals.")
    p.table(
        ("cid", CID), ("handle", HANDLE), ("C_0", SECRET), ("L(\"next\", cid)", w.label("next", CID)), ("C_1", c1),
        ("L(\"A256GCM\", cid)", w.label("A256GCM", CID)), ("K_1", w.gcm_key(c1, CID)), ("KID", HANDLE + ".1"))
    claims = {"jti": JTI, "iat": IAT, "exp": IAT + 86400, "sub": CID, "title": "Yuki", "body": "\u5915\u98df\u306f\u4e03\u6642\u3002\"Curry\"? \U0001F35B"}
    kid = HANDLE + ".1"
    spec = {
        "rendering": "apns", "alg": "dir", "key": {"sub": CID, "kid": kid, "k": w.b64url(c1)}, "claims": claims, "pad": "bucket", "limit": 4096,
        "type": "message", "body": "New message", "aps": ALERT, "iv": w.b64url(IV)}
    written = w.write_claims(claims)
    plaintext = written + b" " * (256 - len(written))
    header = w.jwe_header("dir", kid)
    sealed = AESGCM(w.gcm_key(c1, CID)).encrypt(IV, plaintext, header.encode("ascii"))
    payload = w.seal_payload(spec)
    compact = w.jwe_dir(w.gcm_key(c1, CID), IV, header, plaintext)
    assert compact in payload.decode("utf-8")
    p.say("**Claims**, as written (%d bytes; the plaintext is these bytes and %d spaces, bucket 256):" % (len(written), 256 - len(written)))
    p.table(("claims", written.decode("utf-8")))
    p.say("**`dir`.**")
    p.table(
        ("header", w.unb64url(header).decode("ascii")), ("encoded header (the AAD)", header), ("IV", IV), ("ciphertext", sealed[:-16]), ("tag", sealed[-16:]),
        ("compact string", compact))
    p.say("The APNs payload around it (%d bytes):" % len(payload))
    p.table(("payload", payload.decode("utf-8")))
    p.say("The FCM data object around the same compact string:")
    fcm = w.seal_payload(dict({k: v for k, v in spec.items() if k != "aps"}, rendering="fcm"))
    p.table(("data", fcm.decode("utf-8")), ("counted bytes", str(w.counted({"rendering": "fcm"}, fcm))))
    p.say("**Keys for `HPKE-7`.** The same conversation has a second secret for this algorithm, at epoch 0, and there is the device:")
    hkid = HANDLE_HPKE + ".0"
    psk = w.preshared_key(SECRET_HPKE, CID)
    p.table(
        ("handle", HANDLE_HPKE), ("C_0", SECRET_HPKE), ("L(\"HPKE-7\", cid)", w.label("HPKE-7", CID)), ("P_0", psk), ("KID", hkid),
        ("device private key", DEVICE), ("device public key", w.public_bytes(jwk)),
        ("thumbprint input", w.compact({n: jwk[n] for n in ("crv", "kty", "x", "y")})), ("DKID", dkid))
    rows, enc, schedule = hpke_rows(w.public_bytes(jwk), EPHEMERAL, psk, hkid.encode("ascii"))
    hheader = w.jwe_header("HPKE-7", hkid, dkid)
    hsealed = AESGCM(schedule["key"]).encrypt(schedule["nonce"], plaintext, hheader.encode("ascii"))
    hcompact = w.jwe_hpke(w.public_bytes(jwk), EPHEMERAL, psk, hkid.encode("ascii"), hheader, plaintext)
    assert hcompact.split(".")[3] == w.b64url(hsealed)
    p.say("**`HPKE-7`**, the same plaintext. RFC 9180's names:")
    p.table(*rows)
    p.table(
        ("header", w.unb64url(hheader).decode("ascii")), ("encoded header (the AAD)", hheader), ("ciphertext and tag", hsealed), ("compact string", hcompact))
    hspec = dict(
        {k: v for k, v in spec.items() if k not in ("aps", "iv")}, alg="HPKE-7", rendering="fcm", key={"sub": CID, "kid": hkid, "k": w.b64url(SECRET_HPKE)}, device=jwk,
        ephemeral=w.b64url(EPHEMERAL))
    fcm = w.seal_payload(hspec)
    assert hcompact in fcm.decode("ascii")
    p.say("The FCM data object around it:")
    p.table(("data", fcm.decode("utf-8")), ("counted bytes", str(w.counted(hspec, fcm))))
    room_rows(p, spec)
    split_rows(p)
    check_that_it_opens(jwk, kid, c1, payload, "dir", claims)
    check_that_it_opens(jwk, hkid, SECRET_HPKE, w.compact({"encrypted_payload": hcompact}).encode("ascii"), "HPKE-7", claims)
    return p.text()


def room_rows(p, spec):
    """What fits, what is cut and what is padded, where the limit is small."""
    p.say("**What fits.** The same message with a longer body, `dir`, for APNs with a limit of 480 bytes:")
    body = "\U0001F35B" * 12
    limit = 480
    spec = dict(spec, limit=limit, claims=dict(spec["claims"], body=body))
    header = w.jwe_header("dir", spec["key"]["kid"])
    frame = w.counted(spec, w.render(spec, ""))
    fixed = w.jwe_length("dir", header, 0)
    room = (limit - frame - fixed) * 3 // 4
    assert w.jwe_length("dir", header, room) <= limit - frame < w.jwe_length("dir", header, room + 1)
    whole, cut = w.write_claims(spec["claims"]), w.write_claims(w.cut(spec["claims"], room))
    longer = w.write_claims(dict(spec["claims"], body=w.load(cut)["body"][:-1] + body[0] + "\u2026", trunc=True))
    payload = w.seal_payload(spec)
    assert len(payload) == frame + w.jwe_length("dir", header, room)
    p.table(
        ("payload with nothing sealed", "%d bytes" % frame), ("left for the compact string", "%d" % (limit - frame)), ("of it header, dots, IV and tag", "%d" % fixed), ("what fits, the longest plaintext", "%d" % room),
        ("claims as they were given", "%d: they do not fit" % len(whole)), ("cut to one more cluster", "%d: nor does that" % len(longer)), ("claims as they are sealed", "%d" % len(cut)), ("claims", cut.decode("utf-8")),
        ("bucket", "256 does not fit either, so %d spaces, to what fits" % (room - len(cut))), ("payload", "%d bytes" % len(payload)))


def split_rows(p):
    p.say("**Split** (section 10), under a key of its own:")
    key, nonce, text = made_up("split key", 32), made_up("split nonce", 12), "See you at 6. \u2615"
    sealed = AESGCM(key).encrypt(nonce, text.encode("utf-8"), None)
    spec = {
        "rendering": "apns", "alg": "split", "key": {"k": w.b64url(key)}, "text": text, "iv": w.b64url(nonce), "limit": 4096, "type": "message", "body": "New message",
        "aps": {"alert": {"body": "New message"}}}
    payload = w.seal_payload(spec)
    p.table(("key", key), ("nonce", nonce), ("plaintext", text), ("in UTF-8", text.encode("utf-8")), ("ciphertext", sealed[:-16]), ("tag", sealed[-16:]), ("payload", payload.decode("utf-8")))
    ring = {"allow_split": True, "split_keys": [{"sub": CID, "k": w.b64url(key), "state": "active", "open_until": IAT, "accessible": "after-first-unlock"}]}
    answer = opener.Device(ring).open(payload, {"now": IAT, "lock": "unlocked"})
    if answer != {"outcome": "opened", "content": {"body": text}, "replay_unchecked": True}:
        raise SystemExit("the worked example of split does not open: %s" % answer["outcome"])


def check_that_it_opens(jwk, kid, secret, payload, alg, claims):
    key = {
        "sub": CID, "jwe_alg": alg, "kid": kid, "k": w.b64url(secret), "state": "active", "open_until": None, "accessible": "after-first-unlock"}
    ring = {"device": {"jwk": dict(jwk, d=w.b64url(DEVICE)), "enrollment_secret": w.b64url(ENROLLMENT)}, "keys": [key]}
    answer = opener.Device(ring).open(payload, {"now": IAT, "lock": "unlocked"})
    if answer["outcome"] != "opened" or answer["content"]["body"] != claims["body"]:
        raise SystemExit("the worked example does not open: %s" % answer["outcome"])


def bundle_example():
    p = Page()
    jwk = device_jwk()
    request = {
        "device": jwk, "enrollment_secret": w.b64url(ENROLLMENT), "sub": CID, "jwe_alg": "dir", "kid": HANDLE + ".0", "k": w.b64url(SECRET), "seq": IAT,
        "iat": IAT, "exp": IAT + 7 * 86400, "accessible": "after-first-unlock-this-device-only", "ephemeral": w.b64url(BUNDLE_EPHEMERAL)}
    text = w.seal_bundle(request)
    rows, enc, schedule = hpke_rows(w.public_bytes(jwk), BUNDLE_EPHEMERAL, ENROLLMENT, b"enroll")
    header = text.split(".")[0]
    plaintext = AESGCM(schedule["key"]).decrypt(schedule["nonce"], w.unb64url(text.split(".")[3]), header.encode("ascii"))
    p.say("The conversation secret C_0 of the example in [envelope.md](envelope.md#6-worked-example) on its way to the device there.")
    p.table(("JWK", plaintext.decode("ascii")))
    p.table(*rows)
    p.table(
        ("header", w.unb64url(header).decode("ascii")), ("encoded header (the AAD)", header),
        ("ciphertext and tag", w.unb64url(text.split(".")[3])), ("compact string", text))
    return p.text()


def attachment_example():
    p = Page()
    key, salt, prefix = made_up("attachment key", 32), made_up("attachment salt", 32), made_up("attachment prefix", 7)
    plain = "No picture, but as short as one can be.".encode("ascii")
    sealed = attachment.seal(key, salt, prefix, plain)
    nonce = attachment.nonce(prefix, 0, True)
    segment = AESGCM(attachment.segment_key(key, salt)).encrypt(nonce, plain, None)
    assert sealed == bytes([40]) + salt + prefix + segment and attachment.open_sealed(key, sealed) == plain
    claim = {"url": "https://cdn.example.com/1f3a", "sha256": w.b64url(hashlib.sha256(sealed).digest()), "key": w.b64url(key)}
    p.say("All values are made up. One segment, which is the last (%d bytes of file):" % len(sealed))
    p.table(
        ("plaintext", plain.decode("ascii")), ("key", key), ("salt", salt), ("prefix", prefix), ("K", attachment.segment_key(key, salt)), ("nonce", nonce),
        ("ciphertext", segment[:-16]), ("tag", segment[-16:]), ("file", sealed), ("SHA-256", hashlib.sha256(sealed).digest()), ("claim", w.compact(claim)))
    return p.text()


def wrapped(name, plain, key, context):
    nonce = made_up("nonce of " + name, 24)
    return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, context, nonce, key)


def at_rest_example():
    p = Page()
    store, slot_id = made_up("store", 16).hex(), made_up("slot", 16).hex()
    kek, integrity, first = made_up("key file", 32), made_up("class key integrity", 32), made_up("class key after-first-unlock", 32)
    p.say("All values are made up. Byte strings are in hexadecimal. A slot's KEK, of a passphrase and of a key file:")
    slot = {"salt": made_up("salt", 16), "passes": 1, "memory_mib": 8}
    p.table(
        ("passphrase", "correct horse"), ("salt", slot["salt"]), ("passes, MiB", "1, 8"), ("KEK of the passphrase", at_rest.slot_key(slot, b"correct horse")),
        ("KEK of the key file", kek))
    p.say("The class key `after-first-unlock`, version 1, of the slot with the key file:")
    name = "after-first-unlock"
    context = at_rest.class_key_context(store, slot_id, name, 1)
    p.table(
        ("store", store), ("slot", slot_id), ("class key", first), ("associated data", context), ("nonce", made_up("nonce of wrap", 24)),
        ("wrap", wrapped("wrap", first, kek, context)))
    table, thumbprint = at_rest.BY_NAME["device"], w.thumbprint(device_jwk())
    row = {
        "id": thumbprint, "version": 1, "name": "Yuki", "public_key": w.public_bytes(device_jwk()), "enrolled": IAT, "removing": 0, "class_key": name,
        "class_key_version": 1}
    item_key = made_up("item key", 32)
    contexts = [at_rest.secret_context(part, store, table, row) for part in ("item key", "value")]
    row["item_key"], row["value"] = wrapped("item key", item_key, first, contexts[0]), wrapped("value", ENROLLMENT, item_key, contexts[1])
    p.say("The secret of a row of `device`: the enrollment secret under its item key, and that under the class key. Of its columns `name` and `removing` may change, and the others are bound to it:")
    p.table(
        ("id", thumbprint), ("name", "Yuki"), ("public_key", row["public_key"]), ("enrolled", str(IAT)), ("removing", "0"), ("item key", item_key),
        ("AD of item_key", contexts[0]), ("item_key", row["item_key"]), ("secret", ENROLLMENT), ("AD of value", contexts[1]), ("value", row["value"]))
    context = at_rest.row_context(store, table, row)
    row["sealed"] = wrapped("seal", b"", integrity, context)
    p.say("The seal of version 1 of that row (%d bytes of associated data):" % len(context))
    p.table(("integrity key", integrity), ("associated data", context), ("sealed", row["sealed"]))
    digest_key, shard = made_up("digest key", 32), at_rest.shard_of("device", thumbprint)
    message = encode("waxwing key store 1: digest of a row", store, "device", thumbprint, row["sealed"])
    total = at_rest.element(digest_key, store, "device", thumbprint, row["sealed"]).to_bytes(32, "big")
    context = at_rest.sum_context(store, shard)
    p.say("The digest: its key, the element of that row, and the shard that has this row and no other, so that its sum is the element:")
    p.table(
        ("digest key", digest_key), ("message", message), ("element", total), ("shard", shard), ("count", "1"), ("associated data", context),
        ("sum", wrapped("sum", total, integrity, context)))
    text = "waxwing anchor 1\nstore %s\nnumber 17\nvalue %s\n" % (store, made_up("mark", 32).hex())
    p.say("An anchor file, whose key is the secret of the row `anchor`:")
    p.table(("key", made_up("anchor key", 32)))
    p.lines += ["```", text + "mac " + blake2b(text.encode(), made_up("anchor key", 32)).hex(), "```", ""]
    # By the reader, which has to come to the same.
    found = at_rest.Store({**{other.name: [] for other in at_rest.TABLES}, "class_key": [{"name": name, "key_version": 1, "wrap": b"x"}]})
    found.identifier, found.class_keys = store, {("integrity", 1): integrity, (name, 1): first}
    found.check(table, row)
    assert found.secrets["device", thumbprint] == ENROLLMENT
    return p.text()


def audit_example():
    p = Page()
    log, start, seed = made_up("log", 16).hex(), made_up("start key", 32), made_up("checkpoint seed", 32)
    public, signer = crypto_sign_seed_keypair(seed)
    head, key = blake2b(encode("waxwing audit 1: log", log, public)), start
    p.say("All values are made up. Byte strings are in hexadecimal. The beginning:")
    p.table(("log identifier", log), ("checkpoint seed", seed), ("checkpoint key", public), ("K_1", start), ("H_0", head))
    for number, fields in enumerate(((IAT, 1000, 4242, None, "init", "store", None, "done", None), (IAT + 60, 1000, 4243, "service", "lease", "conversation " + CID, HANDLE + ".1", "done", "64 seals from 0")), 1):
        entry = encode("waxwing audit 1: entry", log, number, *fields, head)
        mac = blake2b(entry, key)
        head, key = blake2b(entry + mac), blake2b(encode("waxwing audit 1: next key"), key)
        p.say("Entry %d: %s." % (number, ", ".join("none" if field is None else str(field) for field in fields)))
        p.table(("E_%d" % number, entry), ("mac_%d" % number, mac), ("H_%d" % number, head), ("K_%d" % (number + 1), key))
    message = encode("waxwing audit 1: checkpoint", log, 2, head, IAT + 3600)
    signature = crypto_sign(message, signer)[:64]
    p.say("A checkpoint of both:")
    p.table(("message", message), ("signature", signature), ("document", w.compact({
        "format": "waxwing-audit-checkpoint/1", "log": log, "number": 2, "hash": w.b64url(head), "at": IAT + 3600, "signature": w.b64url(signature)})))
    return p.text()


def backup_example():
    p = Page()
    key, salt, stream = made_up("backup key", 32), made_up("backup salt", 16), made_up("stream header", 24)
    parts = ["backup", "device", made_up("store", 16).hex(), "group.waxwing.default", IAT, at_rest.SCHEMA, b"{}"]
    plain = encode(*parts)
    header = backup.header(key, salt, stream, None)
    sealed = backup.sealed(header, backup.derive("stream", header[:42], key), plain, [len(plain)])
    p.say("All values are made up. Byte strings are in hexadecimal. Header and one chunk, which is the last, of a plain text that is the record `backup` alone (a reader refuses it: the other records are missing):")
    p.table(
        ("key file", key), ("salt", salt), ("fields", header[:42]), ("check", header[42:74]), ("S", backup.derive("stream", header[:42], key)),
        ("stream header", stream), ("plain text", plain), ("chunk", sealed))
    return p.text()


def main():
    pages = {
        "envelope.md": envelope_example(), "bundle.md": bundle_example(), "attachment.md": attachment_example(),
        "at-rest.md": at_rest_example(), "audit.md": audit_example(), "backup.md": backup_example()}
    if sys.argv[1:] not in ([], ["--write"], ["--check"]):
        sys.exit(__doc__)
    differ = 0
    for name, text in pages.items():
        if not sys.argv[1:]:
            print(text)
            continue
        path = os.path.join(SPEC, name)
        with open(path, encoding="utf-8") as f:
            page = f.read()
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        new = before + BEGIN + "\n" + text + END + after
        if sys.argv[1] == "--write":
            with open(path, "w", encoding="utf-8") as f:
                f.write(new)
        elif new == page:
            print("docs/spec/%s: the worked example is as computed" % name)
        else:
            differ += 1
            print("docs/spec/%s: the worked example differs from what is computed" % name)
    if sys.argv[1:] == ["--check"]:
        print("%d passed, %d failed" % (len(pages) - differ, differ))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
