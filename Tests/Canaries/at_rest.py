"""A key store's secrets, read from its files by an independent hand.

Shares nothing with the Swift code: SQLite of Python's library, XChaCha20-Poly1305 from the ChaCha20-Poly1305 of the
`cryptography` package and an HChaCha20 written out here (draft-irtf-cfrg-xchacha-03, section 2.2), Argon2id of that package.

    passphrase --Argon2id--> KEK --+
    key file ----------------------+--> class keys --> item key of a row --> the row's secret
                                        integrity  --> the seal of each row, the sums of the digest over all rows

What is not as it was sealed raises Damage, which names table and row; so do rows that are not those of the digest, by shard.
"""

import hashlib
import os
import shutil
import sqlite3
import struct
import tempfile

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

# Columns that may change while the row's secret stays, in tables whose rows have one: everything else is bound to the secret.
CHANGING = {
    "anchor": {"number", "mark", "former_mark"},
    "audit_log": {"entries", "head"},
    "device": {"name", "removing"},
    "conversation_secret": {"state", "activated", "epoch_started", "deactivated", "open_until", "promote_at", "leased"},
    "held_epoch": {"state", "open_until"},
    "split_key": {"state"},
    "item": {"label", "modified"},
}
SECRET_COLUMNS = ("class_key", "class_key_version", "item_key", "value")
WORD = 0xFFFFFFFF
SUM = 1 << 256


class Damage(Exception):
    """Something is not as the at-rest format says."""


def hchacha20(key, nonce):
    """The 32-byte subkey of XChaCha20 for the first 16 bytes of its nonce."""
    state = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key) + struct.unpack("<4I", nonce))

    def quarter(a, b, c, d):
        for first, second, third, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[first] = (state[first] + state[second]) & WORD
            mixed = state[third] ^ state[first]
            state[third] = (mixed << shift | mixed >> (32 - shift)) & WORD

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return struct.pack("<8I", *(state[:4] + state[12:]))


def unwrap(wrapped, key, associated_data):
    """What was wrapped as nonce (24) || ciphertext || tag (16); None when it is not authentic."""
    if len(wrapped) < 40:
        return None
    subkey = hchacha20(key, wrapped[:16])
    try:
        return ChaCha20Poly1305(subkey).decrypt(b"\0\0\0\0" + wrapped[16:24], bytes(wrapped[24:]), associated_data)
    except InvalidTag:
        return None


def associated_data(*parts):
    """Every part with its form (1 text, 2 bytes, 3 integer, 4 nothing) and its length before it."""
    out = []
    for part in parts:
        if part is None:
            form, content = 4, b""
        elif isinstance(part, int):
            form, content = 3, struct.pack(">q", part)
        elif isinstance(part, str):
            form, content = 1, part.encode("utf-8")
        else:
            form, content = 2, bytes(part)
        out.append(struct.pack(">BI", form, len(content)) + content)
    return b"".join(out)


def shard_of(table, name):
    """The shard of the digest that counts a row: FNV-1a of its name, folded to four bits."""
    hashed = 0xCBF29CE484222325
    for byte in name.encode("utf-8"):
        hashed = (hashed ^ byte) * 0x100000001B3 % (1 << 64)
    for width in (32, 16, 8, 4):
        hashed ^= hashed >> width
    return "%s/%d" % (table, hashed % 16)


class Store:
    """One store's access group directory, whose secrets are read again and again while it changes."""

    def __init__(self, name, directory, passphrase=None, key_file=None):
        self.name, self.directory, self.passphrase, self.key_file = name, directory, passphrase, key_file
        self.class_keys = {}
        self.seen_wraps = set()
        self.seen_state = None
        self.seen_rows = {}
        self.contents = {}
        self.checked_rows = 0

    @property
    def database(self):
        for folder in sorted(os.listdir(self.directory)):
            for file in sorted(os.listdir(os.path.join(self.directory, folder))):
                path = os.path.join(self.directory, folder, file)
                if file.startswith(".") or not os.path.isfile(path):
                    continue
                with open(path, "rb") as opened:
                    if opened.read(16) == b"SQLite format 3\0":
                        return path
        raise Damage("store %s: no database" % self.name)

    def new_secrets(self):
        """(kind, name, bytes, context) of every secret that was not there at the last call; every new row's seal is checked."""
        path = self.database
        state = [os.stat(path + end) if os.path.exists(path + end) else None for end in ("", "-wal")]
        state = [status and (status.st_mtime_ns, status.st_size, status.st_ino) for status in state]
        if state == self.seen_state:
            return []
        found = []
        with tempfile.TemporaryDirectory(prefix="waxwing-canary-reading-") as copy:
            for end in ("", "-wal"):
                if os.path.exists(path + end):
                    shutil.copyfile(path + end, os.path.join(copy, "copy" + end))
            database = sqlite3.connect(os.path.join(copy, "copy"))
            try:
                self._read(database, found)
            finally:
                database.close()
        self.seen_state = state
        return found

    def _read(self, database, found):
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = {}
        for table in tables:
            cursor = database.execute('SELECT * FROM "%s"' % table)
            names = [column[0] for column in cursor.description]
            if "sealed" in names:
                rows[table] = [dict(zip(names, row)) for row in cursor]
        if len(rows.get("store", ())) != 1:
            raise Damage("store %s: there is not exactly one store row" % self.name)
        self.identifier = rows["store"][0]["id"]
        if any(row["id"] not in self.seen_wraps for row in rows["class_key"]):
            self._unlock(rows, found)
            self.seen_wraps = {row["id"] for row in rows["class_key"]}
        for table, list_of_rows in rows.items():
            for row in list_of_rows:
                self._check(table, row, found)
        self._check_digest(rows, found)

    def _unlock(self, rows, found):
        for slot in rows["slot"]:
            if slot["kind"] == "passphrase":
                kek = Argon2id(
                    salt=slot["salt"], length=32, iterations=slot["passes"], lanes=1,
                    memory_cost=slot["memory_mib"] * 1024).derive(self.passphrase)
            else:
                with open(self.key_file, "rb") as opened:
                    kek = opened.read()
            found.append(("KEK", "KEK of %s" % self.name, kek, None))
            for row in rows["class_key"]:
                # Without a wrap it is only the number of a key that is gone.
                if row["slot"] != slot["id"] or not row["wrap"]:
                    continue
                context = associated_data(
                    "waxwing key store 1: class key", self.identifier, slot["id"], row["name"], row["key_version"])
                key = unwrap(row["wrap"], kek, context)
                if key is None:
                    raise Damage("store %s: class key %s does not unwrap" % (self.name, row["name"]))
                self.class_keys[row["name"], row["key_version"]] = key
                found.append(("class key", "class key %s of %s" % (row["name"], self.name), key, None))

    def _check(self, table, row, found):
        columns = [name for name in row if name not in ("id", "version", "sealed") + SECRET_COLUMNS]
        subject = "store %s, row %s/%s" % (self.name, table, row["id"])
        secret = [row[name] for name in SECRET_COLUMNS] if row.get("item_key") is not None else []
        if self.seen_rows.get((table, row["id"])) == row["sealed"]:
            return
        named = [part for name in columns for part in (name, row[name])]
        context = associated_data(
            "waxwing key store 1: row", self.identifier, table, row["id"], row["version"], *named, *secret)
        if unwrap(row["sealed"], self.class_keys["integrity", 1], context) != b"":
            raise Damage("%s: its seal does not hold" % subject)
        self.seen_rows[table, row["id"]] = row["sealed"]
        self.checked_rows += 1
        if secret:
            fixed = [part for name in columns if name not in CHANGING.get(table, ()) for part in (name, row[name])]
            self._open(table, row, subject, fixed, found)

    def _check_digest(self, rows, found):
        shards = {row["id"]: row for row in rows["digest"]}
        if "root" not in shards:
            raise Damage("store %s, row digest/root: it is not there" % self.name)
        content = {name: self._sum(row) for name, row in shards.items()}
        key = content["root"][32:]
        totals = {name: (0, 0) for name in shards}
        for table, list_of_rows in rows.items():
            for row in list_of_rows:
                if (table, row["id"]) == ("digest", "root"):
                    continue
                message = associated_data(
                    "waxwing key store 1: digest of a row", self.identifier, table, row["id"], row["sealed"])
                element = int.from_bytes(hashlib.blake2b(message, key=key, digest_size=32).digest(), "big")
                shard = "root" if table == "digest" else shard_of(table, row["id"])
                count, total = totals.get(shard, (0, 0))
                totals[shard] = count + 1, (total + element) % SUM
        for name, total in sorted(totals.items()):
            if name not in shards or total != (shards[name]["count"], int.from_bytes(content[name][:32], "big")):
                raise Damage("store %s, digest %s: its rows are not those it counted" % (self.name, name))
        if ("digest", "root") not in self.contents:
            found.append(("other key", "digest key of %s" % self.name, key, None))
        self.contents["digest", "root"] = shards["root"], key

    def _sum(self, row):
        context = associated_data("waxwing key store 1: digest sum", self.identifier, row["id"])
        content = unwrap(row["sum"], self.class_keys["integrity", 1], context)
        if content is None or len(content) != (64 if row["id"] == "root" else 32):
            raise Damage("store %s, row digest/%s: its sum does not open" % (self.name, row["id"]))
        return content

    def _open(self, table, row, subject, fixed, found):
        class_key, version, wrapped_key, wrapped_value = (row[name] for name in SECRET_COLUMNS)
        place = (self.identifier, table, row["id"], class_key, version)
        item_key = unwrap(
            wrapped_key, self.class_keys[class_key, version],
            associated_data("waxwing key store 1: item key", *place, *fixed))
        value = item_key and unwrap(wrapped_value, item_key, associated_data("waxwing key store 1: value", *place, *fixed))
        if value is None:
            raise Damage("%s: its secret does not open; CHANGING in Tests/Canaries/at_rest.py lists the columns that may change" % subject)
        self.contents[table, row["id"]] = row, value
        found.append(("item key", "item key of " + subject, item_key, None))
        found.append((kind_of(table, row), "secret of " + subject, value, row))


def kind_of(table, row):
    """What sort of secret a row holds."""
    if table == "identity":
        return "d" if row["id"] == "device-key" else "enrollment secret"
    if table == "device":
        return "enrollment secret"
    if table == "item":
        return "item value"
    if table == "split_key" or row.get("algorithm") == "split":
        return "split key"
    return {"conversation_secret": "C", "held_epoch": "C"}.get(table, "other key")
