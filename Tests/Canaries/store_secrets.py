"""A key store's secrets, read from its files by an independent hand: the reader of docs/spec/at-rest.md (Tests/Interop/at_rest.py).

What is not as that page says raises Damage.
"""

import os
import shutil
import sqlite3
import tempfile

import at_rest


class Damage(Exception):
    """Something is not as the at-rest format says."""


class Store:
    """One store's access group directory, whose secrets are read again and again while it changes."""

    def __init__(self, name, directory, passphrase=None, key_file=None):
        self.name, self.directory, self.passphrase, self.key_file = name, directory, passphrase, key_file
        self.seen_state, self.seen_wraps, self.seen_rows = None, set(), {}
        self.class_keys, self.contents, self.checked_rows = {}, {}, 0

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
        """(kind, name, bytes, context) of every secret that was not there at the last call; all rows are verified."""
        path = self.database
        state = [os.stat(path + end) if os.path.exists(path + end) else None for end in ("", "-wal")]
        state = [status and (status.st_mtime_ns, status.st_size, status.st_ino) for status in state]
        if state == self.seen_state:
            return []
        with tempfile.TemporaryDirectory(prefix="waxwing-canary-reading-") as copy:
            for end in ("", "-wal"):
                if os.path.exists(path + end):
                    shutil.copyfile(path + end, os.path.join(copy, "copy" + end))
            database = sqlite3.connect(os.path.join(copy, "copy"))
            try:
                store = at_rest.load(database)
            finally:
                database.close()
        try:
            found = self._read(store)
        except at_rest.Refused as refused:
            raise Damage("store %s: %s" % (self.name, refused))
        self.seen_state = state
        return found

    def _read(self, store):
        found = []
        wraps = {row["id"] for row in store.rows["class_key"]}
        if wraps <= self.seen_wraps:
            store.identifier, store.class_keys = store.rows["store"][0]["id"], self.class_keys
        else:
            self._unlock(store)
            found.append(("KEK", "KEK of %s" % self.name, store.kek, None))
            for (name, _), key in store.class_keys.items():
                found.append(("class key", "class key %s of %s" % (name, self.name), key, None))
            self.class_keys, self.seen_wraps = store.class_keys, wraps
        store.verify()
        for table in at_rest.TABLES:
            for row in store.rows[table.name]:
                place = table.name, row["id"]
                if self.seen_rows.get(place) == row["sealed"]:
                    continue
                self.seen_rows[place] = row["sealed"]
                self.checked_rows += 1
                if place in store.secrets:
                    subject, value = "store %s, row %s/%s" % (self.name, *place), store.secrets[place]
                    self.contents[place] = row, value
                    found.append(("item key", "item key of " + subject, store.item_keys[place], None))
                    found.append((kind_of(table.name, row), "secret of " + subject, value, row))
        if ("digest", "root") not in self.contents:
            found.append(("other key", "digest key of %s" % self.name, store.digest_key, None))
        self.contents["digest", "root"] = store.digest_row("root"), store.digest_key
        return found

    def _unlock(self, store):
        # A passphrase's store may have been given a key file, and the other way around.
        if any(slot["kind"] == "passphrase" for slot in store.rows["slot"]):
            return store.unlock(passphrase=self.passphrase)
        with open(self.key_file, "rb") as opened:
            return store.unlock(key_file=opened.read())


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
