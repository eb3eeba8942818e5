"""Verifies the audit log of a key store with its audit key, from docs/spec/audit.md alone.

    audit_log.py STORE.SQLITE AUDIT.KEY [CHECKPOINT.JSON]

Shares nothing with the Swift code. Python's library has BLAKE2b and SQLite and no Ed25519: a checkpoint's signature is left
to others, its number and hash are compared. Prints "holds: N entries" and ends with 0, or the first entry that does not hold
and 1.
"""

import base64
import hashlib
import json
import sqlite3
import struct
import sys

FIELDS = ("at", "uid", "pid", "token", "operation", "subject", "kid", "result", "reason", "previous")


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(*values):
    """Form byte, length, content of each value (section 2)."""
    encoded = b""
    for value in values:
        if value is None:
            form, content = 4, b""
        elif isinstance(value, int):
            form, content = 3, struct.pack(">q", value)
        elif isinstance(value, bytes):
            form, content = 2, value
        else:
            form, content = 1, value.encode()
        encoded += struct.pack(">BI", form, len(content)) + content
    return encoded


def blake2b(message, key=b""):
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


class Chain:
    """Goes from entry to entry (section 9). Without the start key MACs are not checked."""

    def __init__(self, log, public, start_key=None, checkpoint=None):
        self.log, self.key, self.checkpoint = log, start_key, checkpoint
        self.number, self.head = 0, blake2b(encode("waxwing audit 1: log", log, public))

    def take(self, identifier, mac, fields, row_fault=None):
        """Why the row is not the next entry, or None when it is. `row_fault` is what is wrong with the row itself."""
        number = self.number + 1
        if identifier != "%016d" % number:
            return "not there"
        if row_fault:
            return row_fault
        if fields[-1] != self.head:
            return "does not follow"
        entry = encode("waxwing audit 1: entry", self.log, number, *fields)
        if self.key:
            if blake2b(entry, self.key) != mac:
                return "wrong MAC"
            self.key = blake2b(encode("waxwing audit 1: next key"), self.key)
        head = blake2b(entry + mac)
        if self.checkpoint and self.checkpoint["number"] == number and self.checkpoint["hash"] != head:
            return "not that of the checkpoint"
        self.number, self.head = number, head
        return None

    def end(self, count, head, kept_key=None):
        """The number of the entry that is missing or too many after the last, with the reason; or None."""
        if self.checkpoint and self.checkpoint["number"] > self.number:
            return self.number + 1, "not there, says the checkpoint"
        if count > self.number:
            return self.number + 1, "not there, says the log"
        if count < self.number or head != self.head:
            return min(self.number, count + 1), "the log does not know of it"
        if self.key and kept_key is not None and kept_key != self.key:
            return self.number + 1, "the key does not follow"
        return None


def first_fault(database, audit_key, checkpoint=None):
    """The number of the first entry that does not hold with the reason, or None; and the number of entries that do."""
    log, public = audit_key["log"], unbase64url(audit_key["checkpoint_key"])
    kept_log, kept_public, count, head = database.execute(
        "SELECT log, checkpoint_key, entries, head FROM audit_log"
    ).fetchone()
    if (kept_log, kept_public) != (log, public) or checkpoint and checkpoint["log"] != log:
        return (1, "another log"), 0
    chain = Chain(log, public, unbase64url(audit_key["start_key"]), checkpoint)
    for identifier, mac, *fields in database.execute(
        f"SELECT id, mac, {', '.join(FIELDS)} FROM audit_entry ORDER BY id"
    ):
        reason = chain.take(identifier, mac, fields)
        if reason:
            return (chain.number + 1, reason), chain.number
    return chain.end(count, head), chain.number


def main(store, key, *checkpoints):
    with open(key, encoding="utf-8") as file:
        audit_key = json.load(file)
    checkpoint = None
    for path in checkpoints:
        with open(path, encoding="utf-8") as file:
            checkpoint = json.load(file)
        checkpoint["hash"] = unbase64url(checkpoint["hash"])
    database = sqlite3.connect(store)
    fault, count = first_fault(database, audit_key, checkpoint)
    database.close()
    if fault is None:
        print(f"holds: {count} entries")
        return 0
    print(f"entry {fault[0]}: {fault[1]}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
