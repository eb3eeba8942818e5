#!/usr/bin/env python3
"""Stores that keyctl made, read by the second implementation of docs/spec/at-rest.md, audit.md and backup.md.

  store_interop.py [--count N] [--seed N] KEYCTL

A backend's store under a key file and a phone's under a passphrase are made and used. Both readers verify them, and every secret that is
known from elsewhere is compared. Then N edits of the one and N / 2 of the other (200 if not said) are drawn by seed: both have to refuse
each, by the same name.
Prints the seed first and `N passed, N failed` last.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import at_rest
import backup
import waxwing as w

GROUP = "group.waxwing.default/store.sqlite"
PASSPHRASE = b"correct horse"
STATUS = {"damaged": 65, "bad-input": 65, "refused": 65, "authentication-failed": 77, "locked": 77, "permission": 77}
# Read before their seals can be checked: which is named of them, and whether as damage or for a file that does not fit, depends on what is
# asked first.
EARLY = ("store", "slot", "class_key")


class Round:
    def __init__(self, keyctl, folder, rng):
        self.keyctl, self.folder, self.rng = os.path.abspath(keyctl), folder, rng
        self.passed, self.failed = 0, 0

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, *arguments, given=b"", status=0):
        done = subprocess.run([self.keyctl, *arguments], cwd=self.folder, input=given, capture_output=True, check=False)
        if status is not None and done.returncode != status:
            raise SystemExit("%s ended with %d: %s" % (" ".join(arguments), done.returncode, done.stderr.decode()))
        return done

    def judge(self, name, fault):
        if fault:
            self.failed += 1
            print("FAIL %s: %s" % (name, fault))
        else:
            self.passed += 1

    def make(self):
        self.run("init", "--store", "sealer", "--role", "sealer", "--key-file", "key", "--audit-key", "audit.key", "--anchor", self.path("anchor"))
        self.run("init", "--store", "phone", "--role", "device", "--passphrase-fd", "0", "--argon2id", "1,8", given=PASSPHRASE)
        for number in range(2):
            store = "phone" if number == 0 else "other"
            if number:
                self.run("init", "--store", store, "--role", "device", "--key-file", "other.key")
            document = self.run("device", "new", "--store", store, "--name", "P%d" % number).stdout
            thumbprint = self.run("device", "enroll", "--store", "sealer", "-", given=document).stdout.decode().strip()
            if number == 0:
                self.thumbprint = thumbprint
        for name, algorithm in (("chat-1", "dir"), ("chat-2", "HPKE-7")):
            self.run("provision", "--store", "sealer", "--conversation", name, "--alg", algorithm, "--device", self.thumbprint, "--device", thumbprint)
        self.run("provision", "--store", "sealer", "--conversation", "legacy", "--alg", "split", "--until", "2027-12-01")
        self.run("split", "export", "--store", "sealer", "--conversation", "legacy", "--output", "split.key")
        self.accept()
        self.run("rotate", "--store", "sealer", "--conversation", "chat-1")
        self.run("rotate", "--store", "sealer", "--conversation", "chat-2", "--rekey")
        self.accept()
        self.run("rewrap", "--store", "sealer", "--class-keys")
        checkpoint = self.run("audit", "checkpoint", "--store", "sealer").stdout
        with open(self.path("checkpoint"), "wb") as file:
            file.write(checkpoint)
        self.run("backup", "--store", "sealer", "--backup-key-file", "backup.key", "backup")

    def accept(self):
        bundles = self.run("bundle", "--store", "sealer", "--device", self.thumbprint).stdout
        self.run("accept", "--store", "phone", given=bundles)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def load(self, store):
        database = sqlite3.connect(self.path(store, GROUP))
        try:
            return at_rest.load(database)
        finally:
            database.close()

    def open(self, store):
        found = self.load(store)
        if store.endswith("phone"):
            found.unlock(passphrase=PASSPHRASE)
        else:
            found.unlock(key_file=self.read("key"))
        return found

    def compare(self):
        stores = {}
        for name in ("sealer", "phone"):
            stores[name] = store = self.open(name)
            count = store.verify()
            told = json.loads(self.run("status", "--store", name, "--verify", "--json").stdout)
            self.judge("%s: rows that hold" % name, None if told["verified_rows"] == count else "%s and %d" % (told["verified_rows"], count))
            missing = [row["id"] for table in at_rest.TABLES if table.secret for row in store.rows[table.name] if row["item_key"] and (table.name, row["id"]) not in store.secrets]
            self.judge("%s: every secret is opened" % name, missing and "not %s" % missing)
        sealer, phone = stores["sealer"].secrets, stores["phone"].secrets
        enrolled = sealer["device", self.thumbprint] == phone["identity", "enrollment-secret"]
        self.judge("the enrollment secret is the same on both sides", None if enrolled else "it is not")
        held = {kid: secret for (table, kid), secret in phone.items() if table == "held_epoch"}
        newest = 0
        for row in stores["sealer"].rows["conversation_secret"]:
            kid = "%s.%d" % (row["id"], row["epoch"])
            secret = sealer.get(("conversation_secret", row["id"]))
            if row["algorithm"] == "split":
                same = w.unb64url(json.loads(self.read("split.key"))["k"]) == secret
                self.judge("the key of the split conversation is the one exported", None if same else "it is not")
            elif kid in held and secret:
                newest += 1
                self.judge("epoch %s is the same on both sides" % kid.split(".")[1], None if held[kid] == secret else "it is not")
        self.judge("epochs are held by both", None if newest >= 2 else "%d are" % newest)
        scalar = phone["identity", "device-key"]
        point = next(row["public_key"] for row in stores["phone"].rows["identity"])
        self.judge("the device key is that of its public key", None if w.point_of(w.private_key(scalar)) == point else "it is not")
        store = stores["sealer"]
        entries, fault = store.verify_log(self.read("audit.key"), self.read("checkpoint"))
        told = json.loads(self.run("audit", "verify", "--store", "sealer", "--key", "audit.key", "--checkpoint", "checkpoint", "--json").stdout)
        self.judge("the audit log with key and checkpoint", fault or (None if told["entries"] == entries else "%s and %d entries" % (told["entries"], entries)))
        row = store.rows["anchor"][0]
        standing = at_rest.anchor_standing(self.read("anchor"), row, store.identifier, sealer["anchor", "anchor"])
        self.judge("the anchor", None if standing == "holds" else standing)
        self.compare_backup(sealer)

    def compare_backup(self, sealer):
        rows = backup.Reader(backup.opened(self.read("backup"), self.read("backup.key"))).read()
        count, differ = 0, []
        for table, list_of_rows in rows.items():
            for row, secret in list_of_rows:
                if secret is not None and table != "audit_log":
                    count += 1
                    if sealer.get((table, row["id"])) != secret:
                        differ.append("%s/%s" % (table, row["id"]))
        self.judge("the secrets of a backup", differ or (None if count > 5 else "%d are there" % count))

    # Edits.

    def edit(self, store):
        """(what is done, its SQL, the table) drawn by the seed."""
        rows = store.rows
        while True:
            table = self.rng.choice(at_rest.TABLES)
            if not rows[table.name]:
                continue
            row = self.rng.choice(rows[table.name])
            name = self.rng.choice(table.all_names)
            place = "WHERE id = '%s'" % row["id"]
            how = self.rng.choice(("change", "change", "change", "swap", "delete", "rename", "copy"))
            if how == "delete":
                return "delete %s" % table.name, "DELETE FROM %s %s" % (table.name, place), table
            if how == "rename":
                return "rename in %s" % table.name, "UPDATE %s SET id = id || 'A' %s" % (table.name, place), table
            if how == "copy":
                rest = ", ".join(table.all_names[1:])
                return "copy in %s" % table.name, "INSERT INTO %s SELECT id || 'A', %s FROM %s %s" % (table.name, rest, table.name, place), table
            if name == "id":
                continue
            if how == "swap":
                other = self.rng.choice(rows[table.name])
                if other[name] == row[name]:
                    continue
                value = other[name]
            else:
                value = self.another(row[name])
            if value is None:
                continue
            literal = "x'%s'" % value.hex() if isinstance(value, bytes) else str(value) if isinstance(value, int) else "'%s'" % value.replace("'", "''")
            return "%s %s.%s" % (how, table.name, name), "UPDATE %s SET %s = %s %s" % (table.name, name, literal, place), table

    def another(self, value):
        if isinstance(value, bytes) and value:
            data = bytearray(value)
            data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
            return bytes(data) if self.rng.random() < 0.8 else value[:self.rng.randrange(len(value))]
        if isinstance(value, int):
            return value + self.rng.choice((1, -1, 86400, 1 << 40))
        if isinstance(value, str) and value:
            at = self.rng.randrange(len(value))
            return value[:at] + self.rng.choice("abcXYZ019") + value[at + 1:]
        return None

    def edits(self, name, count):
        copy = "edited-" + name
        shutil.copytree(self.path(name), self.path(copy))
        if name == "phone":
            self.run("unlock", "--store", copy, "--passphrase-fd", "0", given=PASSPHRASE)
        path = self.path(copy, GROUP)
        self.settle(path)
        whole, store = self.read(os.path.join(copy, GROUP)), self.load(copy)
        for number in range(count):
            what, sql, table = self.edit(store)
            # In place, as the file's identity, owner and mode are looked at.
            with open(path, "r+b") as file:
                file.truncate(0)
                file.write(whole)
            try:
                self.settle(path, sql)
            except sqlite3.IntegrityError:
                continue
            if self.load(copy).rows != store.rows:
                self.judge("edit %d of %s, %s" % (number, name, what), self.refused(copy, table))

    @staticmethod
    def settle(path, sql=None):
        """Runs the statement; all of the database is in its one file then."""
        database = sqlite3.connect(path)
        try:
            if sql:
                database.execute(sql)
                database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            database.close()

    def refused(self, store, table):
        done = self.run("status", "--store", store, "--verify", status=None)
        told = done.stderr.decode().splitlines()[0] if done.stderr else ""
        try:
            self.open(store).verify()
            outcome, names = "holds", ""
        except at_rest.Refused as refused:
            outcome, names = refused.outcome, refused.names
        if outcome == "holds" or done.returncode == 0:
            return "keyctl ended with %d, the second reader says %s" % (done.returncode, outcome)
        if table.name in EARLY:
            return None
        if done.returncode != STATUS.get(outcome):
            return "keyctl ended with %d (%s), the second reader says %s" % (done.returncode, told, outcome)
        # `status` tells how many entries there are, and so asks for the log's row before any other.
        if table.name == "audit_log" and told.startswith("keyctl: error: row audit_log/log: it is not there"):
            return None
        if not told.startswith("keyctl: error: %s: " % names):
            return "%r, the second reader names %s" % (told, names)
        return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int)
    parser.add_argument("keyctl")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(2**32)
    print("seed: %d (again with --seed %d)" % (seed, seed))
    with tempfile.TemporaryDirectory(prefix="waxwing-stores-") as folder:
        os.chmod(folder, 0o700)
        done = Round(given.keyctl, folder, random.Random(seed))
        done.make()
        try:
            done.compare()
            done.edits("sealer", given.count)
            done.edits("phone", given.count // 2)
        finally:
            for store in ("phone", "other", "edited-phone"):
                done.run("lock", "--store", store, "--restart", status=None)
    print("%d passed, %d failed" % (done.passed, done.failed))
    sys.exit(1 if done.failed else 0)


if __name__ == "__main__":
    main()
