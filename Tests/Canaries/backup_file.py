#!/usr/bin/env python3
"""A backup read by an independent hand (docs/spec/backup.md), with libsodium by ctypes and nothing of the Swift code.

    backup_file.py FILE --key-file KEY          prints one JSON object a record, bytes in hexadecimal
    backup_file.py FILE --passphrase-fd N

Everything is authenticated before anything is printed. For tests: what it prints is secret.
"""

import argparse
import ctypes
import ctypes.util
import hashlib
import json
import os
import struct
import sys

MAGIC = b"waxwing backup 1\n"
HEADER = 98
CHUNK = 65_536
OVERHEAD = 17
FINAL = 3

sodium = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
if sodium.sodium_init() < 0:
    sys.exit("libsodium cannot be initialised")


class Refused(Exception):
    """Not a backup, not opened by that secret, or not as it was written."""


def part(form, content):
    return struct.pack(">BI", form, len(content)) + content


def derive(use, fields, key):
    message = part(1, b"waxwing backup 1: " + use) + part(2, fields)
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


def kek(header, key_file, passphrase):
    kind, passes, memory = struct.unpack(">BII", header[17:26])
    if kind == 2 and key_file is not None:
        return key_file
    if kind != 1 or passphrase is None or not 1 <= passes <= 10 or not 8 <= memory <= 1024:
        raise Refused("it is opened by another kind of secret")
    key = ctypes.create_string_buffer(32)
    if sodium.crypto_pwhash(
            key, ctypes.c_ulonglong(32), passphrase, ctypes.c_ulonglong(len(passphrase)), header[26:42],
            ctypes.c_ulonglong(passes), ctypes.c_size_t(memory << 20), 2):
        raise Refused("no memory for Argon2id")
    return key.raw


def plaintext(data, key_file=None, passphrase=None):
    """All of it, or Refused."""
    header = data[:HEADER]
    if len(header) < HEADER or not header.startswith(MAGIC):
        raise Refused("it is no backup")
    key = kek(header, key_file, passphrase)
    if derive(b"check", header[:42], key) != header[42:74]:
        raise Refused("the secret does not open it")
    state = ctypes.create_string_buffer(sodium.crypto_secretstream_xchacha20poly1305_statebytes())
    if sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, header[74:], derive(b"stream", header[:42], key)):
        raise Refused("no stream")
    out, position = [], HEADER
    while True:
        sealed = data[position:position + CHUNK + OVERHEAD]
        position += len(sealed)
        if len(sealed) < OVERHEAD:
            raise Refused("it is cut short")
        chunk = ctypes.create_string_buffer(max(1, len(sealed) - OVERHEAD))
        tag = ctypes.c_ubyte()
        if sodium.crypto_secretstream_xchacha20poly1305_pull(
                state, chunk, None, ctypes.byref(tag), sealed, ctypes.c_ulonglong(len(sealed)), header,
                ctypes.c_ulonglong(HEADER)):
            raise Refused("a chunk is not as it was written")
        out.append(chunk.raw[:len(sealed) - OVERHEAD])
        if tag.value == FINAL:
            break
    if position != len(data):
        raise Refused("something follows its end")
    return b"".join(out)


def values(plain):
    position = 0
    while position < len(plain):
        form, count = struct.unpack_from(">BI", plain, position)
        content = plain[position + 5:position + 5 + count]
        if len(content) != count or count > 1 << 20:
            raise Refused("a part is cut short")
        position += 5 + count
        if form == 1:
            yield content.decode("utf-8")
        elif form == 2:
            yield content
        elif form == 3 and count == 8:
            yield struct.unpack(">q", content)[0]
        elif form == 4 and count == 0:
            yield None
        else:
            raise Refused("a part of no known form")


# Tables whose rows hold a secret.
WITH_SECRET = {"service_key", "audit_log", "device", "conversation_secret", "held_epoch", "item"}


def records(plain):
    """Each record as a dictionary: the beginning, every row, the end."""
    rest = values(plain)
    table, columns, rows = None, [], 0
    if next(rest) != "backup":
        raise Refused("it does not begin as a backup")
    names = ("role", "store", "access_group", "created", "schema", "defaults")
    yield dict(zip(("record",) + names, ["backup"] + [next(rest) for _ in names]))
    for word in rest:
        if word == "table":
            table, count = next(rest), next(rest)
            columns = ["id"] + [next(rest) for _ in range(count)]
            if table in WITH_SECRET:
                columns = columns + ["class_key", "secret"]
        elif word == "row":
            rows += 1
            yield {"record": "row", "table": table, "values": {name: next(rest) for name in columns}}
        elif word == "end":
            if next(rest) != rows:
                raise Refused("not as many rows as it says")
            yield {"record": "end", "rows": rows}
        else:
            raise Refused("a record of no known name")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--key-file")
    parser.add_argument("--passphrase-fd", type=int)
    given = parser.parse_args()
    with open(given.file, "rb") as opened:
        data = opened.read()
    key_file = passphrase = None
    if given.key_file:
        with open(given.key_file, "rb") as opened:
            key_file = opened.read()
    if given.passphrase_fd is not None:
        with os.fdopen(given.passphrase_fd, "rb") as opened:
            passphrase = opened.readline().rstrip(b"\n")
    try:
        lines = [json.dumps(record, default=bytes.hex) for record in records(plaintext(data, key_file, passphrase))]
    except (Refused, struct.error, StopIteration) as refusal:
        sys.exit("%s: %s" % (given.file, refusal))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
