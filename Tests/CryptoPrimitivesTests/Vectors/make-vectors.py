#!/usr/bin/env python3
"""Writes own.json and hpke.json beside this file: the same bytes on every run.

Needs the PyPI package `cryptography`. HPKE is written out here once more, from RFC 9180, so that the two
implementations share nothing but the standard.
"""
import hashlib
import hmac
import json
import pathlib

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = pathlib.Path(__file__).parent
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def stream(name, count):
    """Bytes that look random and are the same on every run."""
    out = b""
    while len(out) < count:
        out += hashlib.sha256(f"{name} {len(out)}".encode()).digest()
    return out[:count]


def private(name):
    return int.from_bytes(stream(name, 32), "big") % (N - 1) + 1


def public(scalar):
    key = ec.derive_private_key(scalar, ec.SECP256R1()).public_key()
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def agree(scalar, point):
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    return ec.derive_private_key(scalar, ec.SECP256R1()).exchange(ec.ECDH(), peer)


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


# HPKE: RFC 9180, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM

KEM_SUITE = b"KEM\x00\x10"
SUITE = b"HPKE\x00\x10\x00\x01\x00\x02"


def labeled_extract(suite, salt, label, ikm):
    return mac(salt or bytes(32), b"HPKE-v1" + suite + label + ikm)


def labeled_expand(suite, prk, label, info, length):
    info = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    out, block, counter = b"", b"", 0
    while len(out) < length:
        counter += 1
        block = mac(prk, block + info + bytes([counter]))
        out += block
    return out[:length]


def hpke(name, info, psk, psk_id):
    recipient, ephemeral = private(name + " recipient"), private(name + " ephemeral")
    enc, point = public(ephemeral), public(recipient)
    agreed = agree(ephemeral, point)
    eae_prk = labeled_extract(KEM_SUITE, b"", b"eae_prk", agreed)
    shared_secret = labeled_expand(KEM_SUITE, eae_prk, b"shared_secret", enc + point, 32)
    mode = 1 if psk else 0
    context = bytes([mode]) + labeled_extract(SUITE, b"", b"psk_id_hash", psk_id)
    context += labeled_extract(SUITE, b"", b"info_hash", info)
    secret = labeled_extract(SUITE, shared_secret, b"secret", psk)
    key = labeled_expand(SUITE, secret, b"key", context, 32)
    base_nonce = labeled_expand(SUITE, secret, b"base_nonce", context, 12)
    exporter_secret = labeled_expand(SUITE, secret, b"exp", context, 32)
    encryptions = []
    for seq, size in enumerate([0, 1, 16, 200, 2048]):
        nonce = bytes(a ^ b for a, b in zip(base_nonce, seq.to_bytes(12, "big")))
        aad, pt = stream(f"{name} aad {seq}", 7 * seq), stream(f"{name} pt {seq}", size)
        ct = AESGCM(key).encrypt(nonce, pt, aad)
        encryptions.append({"aad": aad.hex(), "ct": ct.hex(), "nonce": nonce.hex(), "pt": pt.hex(), "seq": seq})
    exports = []
    for length in [1, 32, 100]:
        exporter_context = stream(f"{name} export {length}", length % 7)
        value = labeled_expand(SUITE, exporter_secret, b"sec", exporter_context, length)
        exports.append({"exporter_context": exporter_context.hex(), "L": length, "exported_value": value.hex()})
    vector = {
        "mode": mode, "kem_id": 16, "kdf_id": 1, "aead_id": 2, "info": info.hex(),
        "skRm": recipient.to_bytes(32, "big").hex(), "skEm": ephemeral.to_bytes(32, "big").hex(),
        "pkRm": point.hex(), "enc": enc.hex(), "shared_secret": shared_secret.hex(),
        "key_schedule_context": context.hex(), "secret": secret.hex(), "key": key.hex(),
        "base_nonce": base_nonce.hex(), "exporter_secret": exporter_secret.hex(),
        "encryptions": encryptions, "exports": exports,
    }
    if psk:
        vector |= {"psk": psk.hex(), "psk_id": psk_id.hex()}
    return vector


def square_root(value):
    root = pow(value, (P + 1) // 4, P)
    return root if root * root % P == value % P else None


def points():
    """Encodings of points, one flaw each, and the error each is refused with; the first has no flaw."""
    good = public(private("point"))
    x, y = good[1:33], good[33:]
    small = next(v for v in range(1, 1000) if square_root(v**3 - 3 * v + B) is not None)
    small_y = square_root(small**3 - 3 * small + B)
    assert small + P < 2**256
    assert public(1)[1:33].hex().startswith("6b17d1f2")
    rows = [
        ("uncompressed", good, "none"),
        ("compressed", bytes([2 + (y[-1] & 1)]) + x, "length"),
        ("compressed and padded to 65 bytes", bytes([2 + (y[-1] & 1)]) + x + bytes(32), "value"),
        ("hybrid", bytes([6 + (y[-1] & 1)]) + x + y, "value"),
        ("hybrid with the wrong parity", bytes([7 - (y[-1] & 1)]) + x + y, "value"),
        ("infinity", b"\x00", "length"),
        ("infinity padded to 65 bytes", bytes(65), "value"),
        ("zero coordinates", b"\x04" + bytes(64), "value"),
        ("empty", b"", "length"),
        ("64 bytes, without the 4", x + y, "length"),
        ("64 bytes, the last one gone", good[:-1], "length"),
        ("66 bytes", good + b"\x00", "length"),
        ("off the curve", good[:-1] + bytes([good[-1] ^ 1]), "value"),
        ("coordinates exchanged", b"\x04" + y + x, "value"),
        ("first byte 5", b"\x05" + x + y, "value"),
        ("x of p more", b"\x04" + (small + P).to_bytes(32, "big") + small_y.to_bytes(32, "big"), "value"),
        ("x of p", b"\x04" + P.to_bytes(32, "big") + square_root(B).to_bytes(32, "big"), "value"),
        ("y all ones", b"\x04" + x + b"\xff" * 32, "value"),
        ("all ones", b"\x04" + b"\xff" * 64, "value"),
    ]
    return [{"name": n, "point": p.hex(), "refusal": r} for n, p, r in rows]


def scalars():
    rows = [
        ("one", (1).to_bytes(32, "big"), "none"),
        ("n - 1", (N - 1).to_bytes(32, "big"), "none"),
        ("zero", bytes(32), "value"),
        ("n", N.to_bytes(32, "big"), "value"),
        ("n + 1", (N + 1).to_bytes(32, "big"), "value"),
        ("all ones", b"\xff" * 32, "value"),
        ("empty", b"", "length"),
        ("31 bytes", bytes(30) + b"\x01", "length"),
        ("33 bytes", bytes(32) + b"\x01", "length"),
    ]
    return [
        {"name": n, "scalar": s.hex(), "refusal": r, "point": public(int.from_bytes(s, "big")).hex() if r == "none" else ""}
        for n, s, r in rows
    ]


def main():
    aead = []
    for size, aad_size in [(0, 0), (0, 20), (1, 0), (15, 1), (16, 16), (17, 13), (200, 32), (256, 128), (4096, 300)]:
        name = f"gcm {size} {aad_size}"
        key, nonce = stream(name + " key", 32), stream(name + " nonce", 12)
        msg, aad = stream(name + " msg", size), stream(name + " aad", aad_size)
        sealed = AESGCM(key).encrypt(nonce, msg, aad)
        aead.append({
            "key": key.hex(), "nonce": nonce.hex(), "aad": aad.hex(), "msg": msg.hex(),
            "ct": sealed[:-16].hex(), "tag": sealed[-16:].hex(),
        })
    macs = []
    for size, key_size in [(0, 0), (0, 32), (3, 1), (64, 63), (65, 64), (1000, 65), (100, 200)]:
        key, msg = stream(f"hmac key {key_size}", key_size), stream(f"hmac msg {size}", size)
        macs.append({
            "key": key.hex(), "msg": msg.hex(), "tag": mac(key, msg).hex(), "sha256": hashlib.sha256(msg).hexdigest(),
        })
    kdf = []
    for size, salt_size, info_size in [(1, 0, 0), (32, 32, 0), (32, 0, 40), (33, 64, 10), (64, 100, 1), (8160, 13, 200)]:
        ikm, salt = stream(f"hkdf ikm {size}", 32), stream(f"hkdf salt {size}", salt_size)
        info = stream(f"hkdf info {size}", info_size)
        okm = HKDF(SHA256(), size, salt, info).derive(ikm)
        kdf.append({
            "ikm": ikm.hex(), "salt": salt.hex(), "info": info.hex(), "prk": mac(salt or bytes(32), ikm).hex(),
            "okm": okm.hex(),
        })
    agreements = []
    for number in range(4):
        mine, theirs = private(f"ecdh mine {number}"), private(f"ecdh theirs {number}")
        agreements.append({
            "private": mine.to_bytes(32, "big").hex(), "public": public(mine).hex(), "peer": public(theirs).hex(),
            "shared": agree(mine, public(theirs)).hex(),
        })
    own = {
        "aes256gcm": aead, "hmac": macs, "hkdf": kdf, "ecdh": agreements, "points": points(), "scalars": scalars(),
    }
    (HERE / "own.json").write_text(json.dumps(own, indent=1) + "\n")
    vectors = [
        hpke("base", b"", b"", b""),
        hpke("base with info", stream("info", 50), b"", b""),
        hpke("psk", b"", stream("psk", 32), b"enroll"),
        hpke("psk with info", stream("info", 50), stream("long psk", 64), b"AAAAAAAAAAAAAAAA.7"),
    ]
    (HERE / "hpke.json").write_text(json.dumps(vectors, indent=1) + "\n")


main()
