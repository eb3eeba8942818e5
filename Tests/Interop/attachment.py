#!/usr/bin/env python3
"""Sealed attachments by a second implementation, after docs/spec/attachment.md:

  attachment.py seal FILE --output SEALED [--url URL]
  attachment.py open SEALED --image FILE --output FILE

Says and does what `keyctl attachment` does. For tests: it holds whole files in memory and nothing is wiped. Exit status 65 when
the file is refused, with the name of the refusal on standard error.
"""

import argparse
import hashlib
import os
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import waxwing as w

ASSOCIATED_DATA = b"waxwing/1 attachment"
HEADER, BLOCK, TAG, SEGMENTS = 40, 65536, 16, 1 << 32


class Refused(Exception):
    """Its text is the refusal's name."""


def segment_key(key, salt):
    return HKDF(hashes.SHA256(), 32, salt, ASSOCIATED_DATA).derive(key)


def nonce(prefix, index, is_last):
    if index >= SEGMENTS:
        raise Refused("too-long")
    return prefix + index.to_bytes(4, "big") + (b"\1" if is_last else b"\0")


def cut(data, first, others):
    """Pieces of a length, the first of another; the last has what is left, and is empty only where there is nothing at all."""
    pieces = [data[:first]]
    for at in range(first, len(data), others):
        pieces.append(data[at:at + others])
    return pieces


def seal(key, salt, prefix, plain):
    assert (len(key), len(salt), len(prefix)) == (32, 32, 7)
    cipher = AESGCM(segment_key(key, salt))
    segments = cut(plain, BLOCK - HEADER - TAG, BLOCK - TAG)
    sealed = [cipher.encrypt(nonce(prefix, i, i == len(segments) - 1), s, None) for i, s in enumerate(segments)]
    return bytes([HEADER]) + salt + prefix + b"".join(sealed)


def open_sealed(key, sealed):
    if len(sealed) < HEADER + TAG or sealed[0] != HEADER:
        raise Refused("malformed")
    salt, prefix = sealed[1:33], sealed[33:40]
    cipher = AESGCM(segment_key(key, salt))
    segments = cut(sealed[HEADER:], BLOCK - HEADER, BLOCK)
    plain = []
    for i, segment in enumerate(segments):
        if len(segment) < TAG or len(segment) == TAG and i > 0:
            raise Refused("malformed")
        try:
            plain.append(cipher.decrypt(nonce(prefix, i, i == len(segments) - 1), segment, None))
        except InvalidTag:
            raise Refused("not-authentic")
    return b"".join(plain)


def open_claimed(key, sealed, sha256=None):
    """By a claim, whose SHA-256 is looked at first."""
    if sha256 is not None and sha256 != hashlib.sha256(sealed).digest():
        raise Refused("hash")
    return open_sealed(key, sealed)


def made_up_text(length):
    """The plaintext of the vectors: byte i is 31 * i + (i >> 8), modulo 256."""
    return bytes((31 * i + (i >> 8)) & 0xFF for i in range(length))


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("what", choices=("seal", "open"))
    ap.add_argument("file")
    ap.add_argument("--output", required=True)
    ap.add_argument("--url")
    ap.add_argument("--image")
    o = ap.parse_args()
    with open(o.file, "rb") as f:
        data = f.read()
    if o.what == "seal":
        key = os.urandom(32)
        out = seal(key, os.urandom(32), os.urandom(7), data)
        claim = {"url": o.url, "sha256": w.b64url(hashlib.sha256(out).digest()), "key": w.b64url(key)}
        print(w.compact({name: value for name, value in claim.items() if value is not None}))
    else:
        with open(o.image, encoding="utf-8") as f:
            claim = w.load(f.read())
        try:
            sha256 = w.unb64url(claim["sha256"]) if "sha256" in claim else None
            out = open_claimed(w.unb64url(claim["key"]), data, sha256)
        except Refused as e:
            print(e, file=sys.stderr)
            sys.exit(65)
    with open(o.output, "xb") as f:
        f.write(out)


if __name__ == "__main__":
    main()
