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


def first_fault(database, audit_key, checkpoint=None):
    """The number of the first entry that does not hold with the reason, or None; and the number of entries that do."""
    log, public = audit_key["log"], unbase64url(audit_key["checkpoint_key"])
    key = unbase64url(audit_key["start_key"])
    kept_log, kept_public, kept_count, kept_head = database.execute(
        "SELECT log, checkpoint_key, entries, head FROM audit_log"
    ).fetchone()
    if (kept_log, kept_public) != (log, public) or checkpoint and checkpoint["log"] != log:
        return (1, "another log"), 0
    number, head = 0, blake2b(encode("waxwing audit 1: log", log, public))
    for identifier, mac, *fields in database.execute(
        f"SELECT id, mac, {', '.join(FIELDS)} FROM audit_entry ORDER BY id"
    ):
        if identifier != f"{number + 1:016d}":
            return (number + 1, "not there"), number
        if fields[-1] != head:
            return (number + 1, "does not follow"), number
        entry = encode("waxwing audit 1: entry", log, number + 1, *fields)
        if blake2b(entry, key) != mac:
            return (number + 1, "wrong MAC"), number
        number, head = number + 1, blake2b(entry + mac)
        key = blake2b(encode("waxwing audit 1: next key"), key)
        if checkpoint and checkpoint["number"] == number and unbase64url(checkpoint["hash"]) != head:
            return (number, "not that of the checkpoint"), number - 1
    if checkpoint and checkpoint["number"] > number:
        return (number + 1, "not there"), number
    if (kept_count, kept_head) != (number, head):
        return (number + 1, "the log says otherwise"), number
    return None, number


def main(store, key, *checkpoints):
    with open(key, encoding="utf-8") as file:
        audit_key = json.load(file)
    checkpoint = None
    for path in checkpoints:
        with open(path, encoding="utf-8") as file:
            checkpoint = json.load(file)
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
