#!/usr/bin/env python3
"""The built-in answers of `keyctl kat` that no standard has: known_answers.py [--check]

Prints what libsodium's functions must answer where the store uses them in a form of its own: BLAKE2b with a key by hashlib,
Argon2id by the `cryptography` package, the secret stream written out here on its ChaCha20 and Poly1305 (libsodium's
documentation, "Encrypted streams and file encryption", says how). Then what every function comes to over a ladder of lengths, by
`cryptography`, hashlib and hmac. --check looks for each of them, and for the answers of the
worked example of docs/spec/envelope.md, in Sources/KeyStore/SelfTest; last line `N passed, N failed`.
"""

import glob
import hashlib
import hmac
import os
import re
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.poly1305 import Poly1305

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")

FINAL = 3
KEY, HEADER = bytes(range(0x80, 0xA0)), bytes(range(0x40, 0x58))


def hchacha20(key, nonce):
    """The 32-byte subkey of XChaCha20 (draft-irtf-cfrg-xchacha-03, 2.2): a block of ChaCha20 less what it was begun with."""
    block = struct.unpack("<16I", Cipher(algorithms.ChaCha20(key, nonce), None).encryptor().update(bytes(64)))
    begun = struct.unpack("<8I", b"expand 32-byte k" + nonce)
    return struct.pack("<8I", *((end - start) % 2**32 for end, start in zip(block[:4] + block[12:], begun)))


def chacha20(key, counter, nonce, data):
    return Cipher(algorithms.ChaCha20(key, struct.pack("<I", counter) + nonce), None).encryptor().update(data)


def secret_stream(key, header, chunks):
    """What is sealed of (message, associated data); the last of them is marked as the last."""
    key, inner, sealed = hchacha20(key, header[:16]), header[16:], []
    for index, (message, data) in enumerate(chunks):
        nonce = struct.pack("<I", index + 1) + inner
        mac = Poly1305(chacha20(key, 0, nonce, bytes(64))[:32])
        mac.update(data + bytes(-len(data) % 16))
        block = chacha20(key, 1, nonce, bytes([FINAL if index == len(chunks) - 1 else 0]) + bytes(63))
        text = chacha20(key, 2, nonce, message)
        mac.update(block + text + bytes((16 - 64 + len(text)) % 16))
        mac.update(struct.pack("<QQ", len(data), 64 + len(text)))
        tag = mac.finalize()
        inner = bytes(a ^ b for a, b in zip(inner, tag))
        sealed.append(block[:1] + text + tag)
    return sealed


# (bytes of text, bytes beside it), as Sources/KeyStore/SelfTest/Shape.swift has them.
LADDER = (
    (0, 0), (0, 12), (0, 64), (0, 65), (0, 300), (0, 1200), (1, 16), (15, 300), (16, 17), (17, 65), (31, 1), (32, 300),
    (63, 15), (64, 1200), (65, 12), (127, 128), (128, 65), (129, 300), (255, 0), (256, 129), (257, 12), (1000, 64), (1039, 65),
    (4096, 1200), (16385, 127), (65536, 0),
)
BLOCK, ROW = 65536, 16385


def content(count, start):
    return bytes((index + start) * 5 % 251 for index in range(count))


def shapes(limit):
    """(number, text, what is beside it, nonce of 24 bytes) of each step whose text is no longer."""
    for number, (text, beside) in enumerate(LADDER):
        if text > limit:
            continue
        yield number, content(text, number), content(beside, number + 100), bytes(0x40 + number + index for index in range(24))


def xchacha20_poly1305(key, nonce, text, beside):
    """draft-irtf-cfrg-xchacha-03, 2.3, behind its nonce as the store keeps it."""
    return nonce + ChaCha20Poly1305(hchacha20(key, nonce[:16])).encrypt(bytes(4) + nonce[16:], text, beside)


def hkdf(salt, info, count):
    return HKDF(algorithm=SHA256(), length=count, salt=salt, info=info).derive(KEY)


def ladder_answers():
    """SHA-256 of what each step comes to, one behind the other."""
    blocks, steps = list(shapes(BLOCK)), list(shapes(ROW))
    made = {
        "SHA-256": (hashlib.sha256(text).digest() for _, text, _, _ in blocks),
        "AES-256-GCM": (AESGCM(KEY).encrypt(nonce[:12], text, beside) for _, text, beside, nonce in blocks),
        "HMAC-SHA-256": (hmac.digest(beside, text, "sha256") for _, text, beside, _ in steps),
        "HKDF-SHA-256": (hkdf(beside, text[:1039], (32, 12, 33, 64, 255)[number % 5]) for number, text, beside, _ in steps),
        "XChaCha20-Poly1305": (xchacha20_poly1305(KEY, nonce, text, beside) for _, text, beside, nonce in steps),
        "keyed BLAKE2b-256": (hashlib.blake2b(text, key=KEY, digest_size=32).digest() for _, text, _, _ in steps),
        "unkeyed BLAKE2b-256": (hashlib.blake2b(text, digest_size=32).digest() for _, text, _, _ in steps),
        "secret stream": secret_stream(KEY, HEADER, [(text, beside) for _, text, beside, _ in blocks]),
    }
    return [(name + ", lengths", hashlib.sha256(b"".join(parts)).hexdigest()) for name, parts in made.items()]


def answers():
    digest = hashlib.blake2b(b"waxwing", key=KEY, digest_size=32).digest()
    kek = Argon2id(salt=bytes(range(16)), length=32, iterations=1, lanes=1, memory_cost=8 << 10).derive(b"waxwing")
    first, last = secret_stream(KEY, HEADER, [(b"the first chunk", b"row"), (b"the last", b"")])
    named = [("keyed BLAKE2b-256", digest), ("Argon2id", kek), ("secret stream, first", first), ("secret stream, last", last)]
    return [(name, value.hex()) for name, value in named] + ladder_answers()


def worked_answers():
    """Compact strings, keys and claims as they stand in the document; worked_example.py holds that to the second implementation."""
    with open(os.path.join(ROOT, "docs", "spec", "envelope.md"), encoding="utf-8") as f:
        page = f.read()
    # Of the section on what is cut there are claims too, which nobody seals here.
    page = page.partition("**What fits.**")[0]
    rows = re.findall(r"^(compact string|K_1|P_0|claims) +(.+)$", page, flags=re.M)
    return [("worked example, " + name, value) for name, value in rows]


def main():
    found = answers()
    if sys.argv[1:] == []:
        for name, value in found:
            print("%-30s%s" % (name, value))
        return 0
    if sys.argv[1:] != ["--check"]:
        print(__doc__)
        return 64
    source = ""
    for path in sorted(glob.glob(os.path.join(ROOT, "Sources", "KeyStore", "SelfTest", "*.swift"))):
        with open(path, encoding="utf-8") as f:
            source += f.read()
    # A literal that goes on in the next line.
    source = re.sub(r"\\#?\n\s*", "", source)
    failed = [name for name, value in found + worked_answers() if value not in source]
    for name in failed:
        print("FAIL %s is not what Sources/KeyStore/SelfTest has" % name)
    print("%d passed, %d failed" % (len(found) + len(worked_answers()) - len(failed), len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
