#!/usr/bin/env python3
"""Backup files by a second implementation, after docs/spec/backup.md; for tests, as it holds whole files in memory.

  backup.py FILE --key-file KEY | --passphrase-fd N

Prints how many rows there are, after all of it was authenticated and read. Exit status 65 for a file that is refused, with the outcome on
standard error.
"""

import argparse
import struct
import sys

from nacl.bindings import (
    crypto_pwhash_ALG_ARGON2ID13, crypto_pwhash_alg, crypto_secretstream_xchacha20poly1305_init_pull, crypto_secretstream_xchacha20poly1305_pull,
    crypto_secretstream_xchacha20poly1305_push, crypto_secretstream_xchacha20poly1305_state)

import at_rest
from audit_log import blake2b, encode

MAGIC = b"waxwing backup 1\n"
HEADER, CHUNK, OVERHEAD, LONGEST = 98, 65536, 17, 1 << 20
MESSAGE, FINAL = 0, 3
TABLES = (
    "service_key", "audit_log", "audit_entry", "device", "sequence", "conversation", "conversation_secret", "member", "bundle", "handle_use", "replacement",
    "device_state", "held_epoch", "installed_bundle", "replay", "item")


class Refused(Exception):
    """Its text is the outcome."""


def derive(use, fields, key):
    return blake2b(encode("waxwing backup 1: " + use, fields), key)


def header(key, salt, stream, work):
    """`work` is (passes, MiB) of a passphrase, None for a key file."""
    fields = MAGIC + struct.pack(">BII", 1 if work else 2, *(work or (0, 0))) + salt
    return fields + derive("check", fields, key) + stream


def passphrase_key(passphrase, salt, work):
    return crypto_pwhash_alg(32, passphrase, salt, work[0], work[1] << 20, crypto_pwhash_ALG_ARGON2ID13)


def sealed(head, key, plain, lengths, tags=None):
    """The chunks after the header, of these lengths of plain text."""
    state = crypto_secretstream_xchacha20poly1305_state()
    # The state that a writer has after it drew the header.
    crypto_secretstream_xchacha20poly1305_init_pull(state, head[74:98], key)
    out, at = b"", 0
    for number, length in enumerate(lengths):
        tag = tags[number] if tags else FINAL if number == len(lengths) - 1 else MESSAGE
        out += crypto_secretstream_xchacha20poly1305_push(state, plain[at:at + length], head, tag)
        at += length
    return out


def opened(data, key_file=None, passphrase=None):
    """The plain text, authenticated to its end."""
    head = data[:HEADER]
    if len(head) < HEADER or not head.startswith(MAGIC):
        raise Refused("bad-input")
    kind, passes, memory = struct.unpack(">BII", head[17:26])
    if kind == 1 and not (1 <= passes <= 10 and 8 <= memory <= 1024) or kind == 2 and (passes, memory) != (0, 0) or kind not in (1, 2):
        raise Refused("damaged")
    if (key_file if kind == 2 else passphrase) is None:
        raise Refused("bad-input")
    key = key_file if kind == 2 else passphrase_key(passphrase, head[26:42], (passes, memory))
    if len(key) != 32:
        raise Refused("bad-input")
    if derive("check", head[:42], key) != head[42:74]:
        raise Refused("authentication-failed")
    state = crypto_secretstream_xchacha20poly1305_state()
    crypto_secretstream_xchacha20poly1305_init_pull(state, head[74:], derive("stream", head[:42], key))
    out, at = [], HEADER
    while True:
        chunk = data[at:at + CHUNK + OVERHEAD]
        at += len(chunk)
        try:
            if len(chunk) < OVERHEAD:
                raise RuntimeError
            plain, tag = crypto_secretstream_xchacha20poly1305_pull(state, chunk, head)
        except (RuntimeError, ValueError):
            raise Refused("damaged")
        out.append(plain)
        if tag == FINAL:
            if not plain:
                raise Refused("damaged")
            break
    if at != len(data):
        raise Refused("damaged")
    return b"".join(out)


def parts(plain):
    at = 0
    while at < len(plain):
        if len(plain) - at < 5:
            raise Refused("damaged")
        form, count = struct.unpack_from(">BI", plain, at)
        content = plain[at + 5:at + 5 + count]
        at += 5 + count
        if count > LONGEST or len(content) != count:
            raise Refused("damaged")
        if form == 1:
            try:
                yield content.decode("utf-8")
            except UnicodeDecodeError:
                raise Refused("damaged")
        elif form == 2:
            yield content
        elif form == 3 and count == 8:
            yield struct.unpack(">q", content)[0]
        elif form == 4 and count == 0:
            yield None
        else:
            raise Refused("damaged")


class Reader:
    """The records of a plain text, in their order (section 3.3)."""

    def __init__(self, plain):
        self.parts, self.rows = parts(plain), {}

    def take(self, *kinds):
        for value in self.parts:
            if type(value) not in kinds:
                raise Refused("damaged")
            return value
        raise Refused("damaged")

    def require(self, holds):
        if not holds:
            raise Refused("damaged")

    def read(self):
        self.require(self.take(str) == "backup")
        self.require(self.take(str) in ("sealer", "device"))
        for kind in (str, str, int):
            self.take(kind)
        schema = self.take(int)
        if schema != at_rest.SCHEMA:
            raise Refused("schema-from-the-future" if schema > at_rest.SCHEMA else "refused")
        self.take(bytes)
        expected, table = list(TABLES), None
        while True:
            word = self.take(str)
            if word == "table":
                self.require(expected)
                table = at_rest.BY_NAME[expected.pop(0)]
                self.require(self.take(str) == table.name and self.take(int) == len(table.names))
                for name in table.names:
                    self.require(self.take(str) == name)
            elif word == "row":
                self.require(table)
                self.row(table)
            elif word == "end":
                self.require(not expected and self.take(int) == sum(map(len, self.rows.values())))
                self.require(next(self.parts, self) is self)
                return self.rows
            else:
                raise Refused("damaged")

    def row(self, table):
        row = {"id": self.take(str)}
        for name in table.names:
            row[name] = self.take(str, bytes, int, type(None))
        secret = None
        if table.secret:
            name, secret = self.take(str, type(None)), self.take(bytes, type(None))
            self.require((name is None) == (secret is None))
            self.require(name is None or name in ("when-unlocked", "after-first-unlock", "integrity") and name != "integrity")
        try:
            at_rest.Store.check_form(table, row, "form")
        except at_rest.Refused:
            raise Refused("damaged")
        self.require(table.name != "held_epoch" or not row["accessible"].endswith("this-device-only"))
        self.rows.setdefault(table.name, []).append((row, secret))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    at_rest.add_secret_options(parser)
    given = parser.parse_args()
    with open(given.file, "rb") as file:
        data = file.read()
    try:
        rows = Reader(opened(data, *at_rest.given_secrets(given))).read()
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 65
    print("%d rows" % sum(map(len, rows.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
