#!/usr/bin/env python3
"""Opens and verifies a key store's database, after docs/spec/at-rest.md:

  at_rest.py STORE.SQLITE --key-file KEY [--anchor FILE]
  at_rest.py STORE.SQLITE --passphrase-fd N [--anchor FILE]

Shares nothing with the Swift code: SQLite and BLAKE2b are of Python's library, XChaCha20-Poly1305, Argon2id and Ed25519 libsodium's by
PyNaCl. Opens every secret, prints none, and says how many rows hold. A store that is refused ends it with 65, and the outcome, the step
and the place on standard error.
"""

import argparse
import hashlib
import os
import re
import sqlite3
import sys

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt, crypto_pwhash_ALG_ARGON2ID13, crypto_pwhash_alg, crypto_sign_open)
from nacl.exceptions import CryptoError

import opener
import waxwing as w
from audit_log import FIELDS, Chain, blake2b, encode

HERE = os.path.dirname(os.path.abspath(__file__))
MIGRATIONS = os.path.join(HERE, "..", "..", "migrations", "sqlite")
SCHEMA = 5
CLASSES = (
    "when-unlocked", "when-unlocked-this-device-only", "after-first-unlock", "after-first-unlock-this-device-only",
    "when-passcode-set-this-device-only")
NAMES = CLASSES + ("integrity",)
SECRET = ("class_key", "class_key_version", "item_key", "value")
LAST_SEAL, LAST_ENTRY, GENERATIONS = 1 << 32, 9999999999999999, 1 << 53


class Refused(Exception):
    """The outcome, the step that came to it, and what it names."""

    def __init__(self, outcome, at, names):
        super().__init__("%s (%s): %s" % (outcome, at, names))
        self.outcome, self.at, self.names = outcome, at, names


class NotAuthentic(Exception):
    """A wrap that does not open."""


class IllFormed(bytes):
    """A text that is not UTF-8."""


# Forms of columns, section 4. Each says whether a value is of it.

def integer(value):
    return type(value) is int


def text(value):
    return type(value) is str


def blob(value):
    return type(value) is bytes


def boolean(value):
    return integer(value) and value in (0, 1)


def optional(form):
    return lambda value: value is None or form(value)


def word(*words):
    return lambda value: text(value) and value in words


def between(low, high):
    return lambda value: integer(value) and low <= value <= high


def of_length(count):
    return lambda value: blob(value) and len(value) == count


def cid(value):
    return text(value) and w.is_cid(value)


def handle(value):
    return text(value) and len(value) == 16 and canonical(value, 12)


def kid(value):
    return text(value) and re.fullmatch(r"[A-Za-z0-9_-]{16}\.(0|[1-9][0-9]{0,4})", value) is not None and int(value[17:]) <= 65535


def thumbprint(value):
    return text(value) and len(value) == 43 and canonical(value, 32)


def canonical(value, count):
    try:
        return w.unb64url(value, count) is not None
    except (ValueError, w.BadInput):
        return False


ALGORITHM, CLASS = word("dir", "HPKE-7", "split"), word(*CLASSES)
STATE = word("pre-activation", "active", "suspended", "deactivated", "compromised", "destroyed")
OPERATION = word(
    "init", "unlock", "lock", "defaults", "device-enroll", "device-remove", "provision", "member-add", "member-remove", "ratchet", "rekey",
    "promote", "suspend", "resume", "revoke", "retire", "destroy", "key-state", "bundle-issue", "bundle-acknowledge", "lease", "lease-end",
    "split-export", "split-add", "split-allow", "split-deny", "identity", "accept", "epoch-keep", "item-add", "item-update", "item-delete",
    "item-class", "passcode", "rewrap", "class-key", "backup", "restore", "migrate", "anchor", "checkpoint")


def item_name(row):
    return hashlib.sha256(encode("waxwing key store 1: item", row["service"], row["account"])).hexdigest()


class Table:
    """Columns as (name, form); those that change while the row's secret stays are named apart."""

    def __init__(self, name, *columns, secret=False, changing=(), identifier=text, whole=lambda row: True):
        self.name, self.columns, self.secret, self.changing = name, columns, secret, changing
        self.identifier, self.whole = identifier, whole

    @property
    def names(self):
        return [name for name, _ in self.columns]

    @property
    def all_names(self):
        return ["id", "version"] + self.names + (list(SECRET) if self.secret else []) + ["sealed"]


# In the order in which they are read.
TABLES = (
    Table(
        "store", ("role", word("sealer", "device")), ("access_group", text), ("created", integer), ("key_file", optional(text)),
        ("unix_group", optional(integer)), ("owner", integer), ("defaults", blob), ("stopped", between(0, 2))),
    Table(
        "slot", ("kind", word("passphrase", "key-file", "key-file-without-passcode")), ("salt", blob), ("passes", optional(integer)),
        ("memory_mib", optional(integer)), ("created", integer)),
    Table(
        "class_key", ("slot", text), ("name", word(*NAMES)), ("key_version", integer), ("wrap", blob),
        whole=lambda row: row["id"] == "%s/%s/%d" % (row["slot"], row["name"], row["key_version"])),
    Table("digest", ("count", between(0, (1 << 63) - 1)), ("sum", blob), identifier=lambda value: value in ALL_SHARDS),
    Table(
        "anchor", ("path", text), ("number", integer), ("mark", blob), ("former_mark", optional(blob)), secret=True,
        changing=("number", "mark", "former_mark"), identifier=word("anchor")),
    Table("service_key", ("created", integer), secret=True, identifier=word("idempotency", "checkpoint")),
    Table(
        "audit_log", ("log", lambda value: text(value) and len(value.encode()) == 32), ("created", integer), ("checkpoint_key", of_length(32)),
        ("entries", between(0, LAST_ENTRY)), ("head", of_length(32)), secret=True, changing=("entries", "head"), identifier=word("log")),
    Table(
        "audit_entry", ("at", integer), ("uid", integer), ("pid", integer), ("token", optional(text)), ("operation", OPERATION),
        ("subject", text), ("kid", optional(kid)), ("result", word("done", "refused")), ("reason", optional(text)), ("previous", of_length(32)),
        ("mac", of_length(32)), identifier=lambda value: re.fullmatch("[0-9]{16}", value) is not None and int(value) > 0),
    Table(
        "device", ("name", text), ("public_key", blob), ("enrolled", integer), ("removing", boolean), secret=True,
        changing=("name", "removing"), identifier=thumbprint),
    Table("sequence", ("last", integer), identifier=lambda value: value == "floor" or thumbprint(value)),
    Table(
        "conversation", ("algorithm", ALGORITHM), ("accessible", CLASS), ("created", integer), ("until", optional(integer)),
        ("maximum_age", integer), identifier=cid),
    Table(
        "conversation_secret", ("conversation", cid), ("algorithm", ALGORITHM), ("state", STATE), ("epoch", between(0, 65535)),
        ("created", integer), ("activated", optional(integer)), ("epoch_started", optional(integer)), ("deactivated", optional(integer)),
        ("open_until", optional(integer)), ("promote_at", optional(integer)), ("leased", between(0, LAST_SEAL)), ("name", optional(text)),
        secret=True, changing=("state", "activated", "epoch_started", "deactivated", "open_until", "promote_at", "leased"),
        identifier=handle),
    Table(
        "lease", ("kid", kid), ("first", integer), ("count", integer), ("granted_at", integer), ("uid", integer), ("pid", integer),
        whole=lambda row: row["first"] >= 0 < row["count"] and row["first"] + row["count"] <= LAST_SEAL
        and row["id"] == "%s/%010d" % (row["kid"], row["first"])),
    Table(
        "member", ("conversation", cid), ("device", thumbprint), ("added", integer), ("acknowledged", optional(kid)),
        whole=lambda row: row["id"] == "%s/%s" % (row["device"], row["conversation"])),
    Table(
        "bundle", ("device", thumbprint), ("sequence", integer), ("conversation", cid), ("handle", handle), ("epoch", between(0, 65535)),
        ("issued", integer), ("expires", integer), ("state", word("pending", "acknowledged", "withdrawn")), ("content", optional(blob)),
        whole=lambda row: row["id"] == "%s/%s" % (row["device"], str(row["sequence"]).rjust(16, "0"))
        and (row["state"] == "pending") == (row["content"] is not None)),
    Table("handle_use", ("last_use", optional(integer)), identifier=handle),
    Table(
        "rotation_run", ("run", text), ("older_than", optional(integer)), ("promote_after", optional(integer)), ("started", integer),
        ("last_conversation", optional(cid)), identifier=word("ratchet", "rekey", "rekey-anew")),
    Table("replacement", ("successor", thumbprint), identifier=thumbprint),
    Table(
        "identity", ("thumbprint", thumbprint), ("name", text), ("public_key", blob), ("created", integer), secret=True,
        identifier=word("device-key", "enrollment-secret")),
    Table(
        "device_state", ("last_sequence", integer), ("next_order", integer), ("replay_floor", optional(integer)),
        ("split_allowed", boolean), identifier=word("device")),
    Table(
        "held_epoch", ("conversation", cid), ("algorithm", ALGORITHM), ("handle", handle), ("epoch", integer), ("accessible", CLASS),
        ("state", STATE), ("open_until", optional(integer)), ("install_order", integer), ("added", integer), secret=True,
        changing=("state", "open_until"), identifier=kid, whole=lambda row: row["id"] == "%s.%d" % (row["handle"], row["epoch"])),
    Table("installed_bundle", ("sequence", integer), ("installed", integer)),
    Table("replay", ("conversation", cid), ("until", integer)),
    Table(
        "split_key", ("conversation", cid), ("state", STATE), ("until", integer), ("install_order", integer), secret=True,
        changing=("state",)),
    Table(
        "item", ("service", text), ("account", text), ("label", text), ("created", integer), ("modified", integer), secret=True,
        changing=("label", "modified"), whole=lambda row: row["id"] == item_name(row)),
)
BY_NAME = {table.name: table for table in TABLES}


# Construction, sections 5 to 9.

def unwrap(wrapped, key, associated_data):
    """What was wrapped as nonce (24) || ciphertext || tag (16)."""
    if len(wrapped) < 40 or len(key) != 32:
        raise NotAuthentic
    try:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(wrapped[24:], associated_data, wrapped[:24], key)
    except CryptoError:
        raise NotAuthentic


def slot_key(slot, passphrase):
    return crypto_pwhash_alg(32, passphrase, slot["salt"], slot["passes"], slot["memory_mib"] << 20, crypto_pwhash_ALG_ARGON2ID13)


def class_key_context(store, slot, name, version):
    return encode("waxwing key store 1: class key", store, slot, name, version)


def row_context(store, table, row):
    secret = [row[name] for name in SECRET] if table.secret and row["item_key"] is not None else []
    named = [part for name in table.names for part in (name, row[name])]
    return encode("waxwing key store 1: row", store, table.name, row["id"], row["version"], *named, *secret)


def secret_context(part, store, table, row):
    """For `item key` and `value`."""
    fixed = [piece for name in table.names if name not in table.changing for piece in (name, row[name])]
    return encode("waxwing key store 1: " + part, store, table.name, row["id"], row["class_key"], row["class_key_version"], *fixed)


def sum_context(store, name):
    return encode("waxwing key store 1: digest sum", store, name)


def element(key, store, table, name, sealed):
    return int.from_bytes(blake2b(encode("waxwing key store 1: digest of a row", store, table, name, sealed), key), "big")


def shard_of(table, name):
    hashed = 0xCBF29CE484222325
    for byte in name.encode("utf-8"):
        hashed = (hashed ^ byte) * 0x100000001B3 % (1 << 64)
    for width in (32, 16, 8, 4):
        hashed ^= hashed >> width
    return "%s/%d" % (table, hashed % 16)


ALL_SHARDS = ["%s/%d" % (table.name, number) for table in TABLES if table.name != "digest" for number in range(16)] + ["root"]


# Anchor file, section 10.

def anchor_standing(data, row, store, key):
    """`holds` or `behind`, else Refused."""
    found = re.fullmatch(rb"(waxwing anchor 1\nstore ([^\n]*)\nnumber (0|-?[1-9][0-9]*)\nvalue ((?:[0-9a-f]{2})*)\n)mac ((?:[0-9a-f]{2})*)\n", data)
    if len(data) > 512 or not found or found[2].decode("utf-8", "replace") != store or abs(int(found[3])) >= 1 << 63:
        raise Refused("bad-input", "anchor", "file")
    number, value, mac = int(found[3]), bytes.fromhex(found[4].decode()), bytes.fromhex(found[5].decode())
    if blake2b(found[1], key) != mac:
        if number == 0:
            raise Refused("unavailable", "anchor", "file")
        raise Refused("damaged", "anchor", "file")
    if (number, value) == (row["number"], row["mark"]):
        return "holds"
    if (number, value) == (row["number"] - 1, row["former_mark"]):
        return "behind"
    raise Refused("damaged", "anchor", "store")


def check_generation(committed, started, completed):
    """Section 4.3: those that the database and the file say."""
    if max(started, completed) >= GENERATIONS:
        raise Refused("damaged", "generation", "generation")
    if not 0 <= committed < GENERATIONS:
        raise Refused("damaged", "generation", "table housekeeping")


class Store:
    """The rows of a database: `rows` by table, each a dictionary; `objects` are the database's, None where it is not asked."""

    def __init__(self, rows, objects=None, migrations=None, is_sound=True):
        self.rows, self.objects, self.migrations, self.is_sound = rows, objects, migrations, is_sound
        self.class_keys, self.item_keys, self.secrets, self.checked = {}, {}, {}, 0
        self.kek = self.digest_key = None

    def unlock(self, key_file=None, passphrase=None):
        """Section 6: every class key, by the first slot that fits."""
        self.check_schema()
        if key_file is not None and len(key_file) != 32 or passphrase == b"":
            raise Refused("bad-input", "secret", "key file" if key_file is not None else "passphrase")
        if len(self.rows["store"]) != 1 or not text(self.rows["store"][0]["id"]) or len(self.rows["store"][0]["id"].encode()) != 32:
            raise Refused("damaged", "store", "row store")
        for name in ("store", "slot", "class_key"):
            for row in self.rows[name]:
                self.check_frame(BY_NAME[name], row)
                self.check_form(BY_NAME[name], row, "store" if name == "store" else "keybag")
        self.identifier = self.rows["store"][0]["id"]
        kinds = ("passphrase",) if passphrase is not None else ("key-file", "key-file-without-passcode")
        for slot in self.rows["slot"]:
            if slot["kind"] in kinds and self.open_slot(slot, key_file, passphrase):
                return
        self.require_whole()
        raise Refused("authentication-failed", "keybag", "store")

    def open_slot(self, slot, key_file, passphrase):
        kek = key_file
        if passphrase is not None:
            fits = (slot["passes"] or 0) in range(1, 11) and (slot["memory_mib"] or 0) in range(8, 1025) and len(slot["salt"]) == 16
            if not fits:
                raise Refused("damaged", "keybag", "row slot/" + slot["id"])
            kek = slot_key(slot, passphrase)
        keys, failed = {}, None
        for row in self.rows["class_key"]:
            if row["slot"] != slot["id"] or not row["wrap"]:
                continue
            try:
                key = unwrap(row["wrap"], kek, class_key_context(self.identifier, slot["id"], row["name"], row["key_version"]))
                if len(key) != 32:
                    raise NotAuthentic
                keys[row["name"], row["key_version"]] = key
            except NotAuthentic:
                failed = row
        if not keys:
            return False
        if failed:
            raise Refused("damaged", "keybag", "row class_key/" + failed["id"])
        for name in self.expected(slot):
            if name not in [known for known, _ in keys]:
                raise Refused("damaged", "keybag", "row class_key/%s/%s" % (slot["id"], name))
        self.kek, self.class_keys = kek, keys
        return True

    @staticmethod
    def expected(slot):
        return [name for name in NAMES if name != CLASSES[4] or slot["kind"] != "key-file-without-passcode"]

    def require_whole(self):
        slots = {slot["id"] for slot in self.rows["slot"]}
        for row in self.rows["class_key"]:
            if row["slot"] not in slots:
                raise Refused("damaged", "keybag", "row class_key/" + row["id"])
        if not slots:
            raise Refused("damaged", "keybag", "row slot")
        for slot in self.rows["slot"]:
            names = {row["name"] for row in self.rows["class_key"] if row["slot"] == slot["id"] and row["wrap"]}
            if not names:
                raise Refused("damaged", "keybag", "row slot/" + slot["id"])
            for name in self.expected(slot):
                if name not in names:
                    raise Refused("damaged", "keybag", "row class_key/%s/%s" % (slot["id"], name))

    def verify(self):
        """Section 13: the number of rows that hold."""
        try:
            self.digest_key, root_fault = self.open_sum(self.digest_row("root"))[1], None
        except Refused as fault:
            if fault.outcome == "locked":
                raise
            root_fault = fault
        chain, log_fault = self.begin_log()
        totals = {}
        for table in TABLES:
            for row in self.rows[table.name]:
                self.check(table, row)
                if table.name == "audit_entry" and not log_fault:
                    reason = chain.take(row["id"], row["mac"], [row[name] for name in FIELDS])
                    log_fault = reason and (chain.number + 1, reason)
                if self.digest_key and (table.name, row["id"]) != ("digest", "root"):
                    shard = "root" if table.name == "digest" else shard_of(table.name, row["id"])
                    count, total = totals.get(shard, (0, 0))
                    added = element(self.digest_key, self.identifier, table.name, row["id"], row["sealed"])
                    totals[shard] = count + 1, (total + added) % (1 << 256)
        log_fault = log_fault or self.end_log(chain)
        if log_fault:
            raise Refused("damaged", "log", "audit entry %d" % log_fault[0])
        if root_fault:
            raise root_fault
        self.check_objects()
        for shard in ALL_SHARDS:
            row = next((row for row in self.rows["digest"] if row["id"] == shard), None)
            written = (row["count"], self.open_sum(row)[0]) if row else (0, 0)
            if totals.get(shard, (0, 0)) != written:
                raise Refused("damaged", "digest", "digest " + shard)
        return self.checked

    def check(self, table, row):
        """One row: its frame, its seal, its form, its secret."""
        self.check_frame(table, row)
        subject = "row %s/%s" % (table.name, row["id"])
        if ("integrity", 1) not in self.class_keys:
            raise Refused("locked", "locked", subject)
        try:
            if unwrap(row["sealed"], self.class_keys["integrity", 1], row_context(self.identifier, table, row)) != b"":
                raise NotAuthentic
        except NotAuthentic:
            raise Refused("damaged", "seal", subject)
        self.check_form(table, row, "form")
        self.checked += 1
        if table.secret and row["item_key"] is not None:
            try:
                self.open_secret(table, row, subject)
            except Refused as refused:
                # Its seal tells of the row all the same.
                if refused.outcome != "locked":
                    raise

    def open(self, place):
        """The secret of one row."""
        name, _, identifier = place.partition("/")
        row = next(row for row in self.rows[name] if row["id"] == identifier)
        self.check(BY_NAME[name], row)
        if row["item_key"] is None:
            raise Refused("not-found", "secret", "row " + place)
        return self.open_secret(BY_NAME[name], row, "row " + place)

    def check_frame(self, table, row):
        if not (text(row["id"]) and integer(row["version"]) and blob(row["sealed"])):
            raise Refused("damaged", "frame", "a row of " + table.name)
        subject = "row %s/%s" % (table.name, row["id"])
        if any(isinstance(value, (float, IllFormed)) for value in row.values()):
            raise Refused("damaged", "frame", subject)
        if table.secret:
            forms = [form(row[name]) for name, form in zip(SECRET, (text, integer, blob, blob))]
            if not all(forms) and any(row[name] is not None for name in SECRET):
                raise Refused("damaged", "frame", subject)

    @staticmethod
    def check_form(table, row, at):
        good = all(form(row[name]) for name, form in table.columns) and table.identifier(row["id"]) and table.whole(row)
        if not good:
            raise Refused("damaged", at, "row %s/%s" % (table.name, row["id"]))

    def open_secret(self, table, row, subject):
        name, version = row["class_key"], row["class_key_version"]
        if name not in NAMES or version < 1 or len(row["value"]) < 40:
            raise Refused("damaged", "secret", subject)
        if (name, version) not in self.class_keys:
            known = any((key["name"], key["key_version"]) == (name, version) and key["wrap"] for key in self.rows["class_key"])
            raise Refused("locked" if known else "damaged", "locked" if known else "secret", subject)
        try:
            context = secret_context("item key", self.identifier, table, row)
            item_key = unwrap(row["item_key"], self.class_keys[name, version], context)
            value = unwrap(row["value"], item_key, secret_context("value", self.identifier, table, row))
        except NotAuthentic:
            raise Refused("damaged", "secret", subject)
        self.item_keys[table.name, row["id"]], self.secrets[table.name, row["id"]] = item_key, value
        return value

    def digest_row(self, name):
        for row in self.rows["digest"]:
            if row["id"] == name:
                return row
        raise Refused("damaged", "digest", "row digest/" + name)

    def open_sum(self, row):
        """The sum of a shard, and of the root the digest's key too."""
        self.check(BY_NAME["digest"], row)
        self.checked -= 1
        try:
            content = unwrap(row["sum"], self.class_keys["integrity", 1], sum_context(self.identifier, row["id"]))
            if len(content) != (64 if row["id"] == "root" else 32):
                raise NotAuthentic
        except NotAuthentic:
            raise Refused("damaged", "digest", "row digest/" + row["id"])
        return int.from_bytes(content[:32], "big"), content[32:]

    # The audit log (docs/spec/audit.md).

    def begin_log(self, key=None, checkpoint=None):
        """The chain, and what is wrong before any entry is looked at."""
        log = next((row for row in self.rows["audit_log"] if row["id"] == "log"), None)
        try:
            if log is None:
                raise Refused("damaged", "log", "row audit_log/log")
            self.check(BY_NAME["audit_log"], log)
            self.checked -= 1
        except Refused as fault:
            return Chain("", b""), (1, "the log's own row: %s" % fault)
        public = key["checkpoint_key"] if key else log["checkpoint_key"]
        if checkpoint and not is_signed(checkpoint, public):
            raise Refused("bad-input", "log", "checkpoint")
        fault = None
        if any(given and given["log"] != log["log"] for given in (key, checkpoint)):
            fault = (1, "another log")
        return Chain(log["log"], public, key and key["start_key"], checkpoint), fault

    def verify_log(self, key=None, checkpoint=None):
        """(number of entries that hold, the first that does not with the reason, or None)."""
        key = key and read_audit_key(key)
        checkpoint = checkpoint and read_checkpoint(checkpoint)
        chain, fault = self.begin_log(key, checkpoint)
        for row in self.rows["audit_entry"]:
            if fault:
                break
            try:
                self.check(BY_NAME["audit_entry"], row)
                row_fault = None
            except Refused as refused:
                row_fault = refused.at
            reason = chain.take(row["id"], row["mac"], [row[name] for name in FIELDS], row_fault)
            fault = reason and (chain.number + 1, reason)
        return chain.number, fault or self.end_log(chain)

    def end_log(self, chain):
        log = self.rows["audit_log"][0]
        return chain.end(log["entries"], log["head"], self.secrets.get(("audit_log", "log"), b""))

    # The database (section 4).

    def check_schema(self):
        if self.migrations is None:
            return
        for index, found in enumerate(self.migrations):
            if found[0] > SCHEMA:
                raise Refused("schema-from-the-future", "schema", "database")
            if index >= SCHEMA or found != known_migrations()[index]:
                raise Refused("damaged", "schema", "database")
        if len(self.migrations) != SCHEMA:
            raise Refused("refused", "schema", "database")

    def check_objects(self):
        if self.objects is None:
            return
        known = objects_of(new_database())
        for name in sorted(set(known) | set(self.objects), key=lambda name: (not name.startswith("table "), name)):
            if known.get(name) != self.objects.get(name):
                raise Refused("damaged", "structure", name + " of the database")
        if not self.is_sound:
            raise Refused("damaged", "structure", "database")


def known_migrations():
    found = []
    for file in sorted(os.listdir(MIGRATIONS)):
        with open(os.path.join(MIGRATIONS, file), "rb") as opened:
            found.append((int(file[:4]), file[5:-4], hashlib.sha256(opened.read()).hexdigest()))
    return found


def new_database():
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.execute(
        """CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied INTEGER NOT NULL
) STRICT""")
    for (version, name, checksum), file in zip(known_migrations(), sorted(os.listdir(MIGRATIONS))):
        with open(os.path.join(MIGRATIONS, file), encoding="utf-8") as opened:
            database.executescript(opened.read())
        database.execute("INSERT INTO schema_migration VALUES (?, ?, ?, 0)", (version, name, checksum))
    return database


def objects_of(database):
    """The rows of the schema, by kind and name: all of them, since no table of ours has an object that SQLite makes by itself."""
    found = {}
    for row in database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name, tbl_name, sql"):
        found.setdefault("%s %s" % row[:2] if text(row[0]) and text(row[1]) else "row", []).append(row)
    return found


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return IllFormed(data)


def load(database):
    """The store in an open database."""
    database.text_factory = decoded
    rows = {}
    for table in TABLES:
        cursor = database.execute("SELECT %s FROM %s ORDER BY id" % (", ".join(table.all_names), table.name))
        rows[table.name] = [dict(zip(table.all_names, values)) for values in cursor]
    migrations = [tuple(row) for row in database.execute("SELECT version, name, checksum FROM schema_migration ORDER BY version")]
    is_sound = database.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]
    return Store(rows, objects_of(database), migrations, is_sound)


def is_signed(checkpoint, public):
    message = encode("waxwing audit 1: checkpoint", *(checkpoint[name] for name in ("log", "number", "hash", "at")))
    try:
        return crypto_sign_open(checkpoint["signature"] + message, public) == message
    except CryptoError:
        return False


def read_document(document, name, form, members):
    """An audit key or checkpoint, its bytes decoded; exactly these members, each as its form says."""
    try:
        found = opener.strict_json(document)
        if not isinstance(found, dict) or found.get("format") != form or set(found) != {"format", *members}:
            raise ValueError
        result = {}
        for member, count in members.items():
            value = found[member]
            if count is None:
                if not w.is_integer(value):
                    raise ValueError
                value = int(value)
            elif not isinstance(value, str):
                raise ValueError
            elif member == "log":
                if not re.fullmatch("[0-9a-f]{32}", value):
                    raise ValueError
            else:
                value = w.unb64url(value, count)
                if value is None:
                    raise ValueError
            result[member] = value
        return result
    except (ValueError, TypeError, opener.Refused):
        raise Refused("bad-input", "document", name)


def read_audit_key(document):
    return read_document(document, "audit key", "waxwing-audit-key/1", {"log": 16, "start_key": 32, "checkpoint_key": 32})


def read_checkpoint(document):
    return read_document(
        document, "checkpoint", "waxwing-audit-checkpoint/1", {"log": 16, "number": None, "hash": 32, "at": None, "signature": 64})


def add_secret_options(parser):
    parser.add_argument("--key-file")
    parser.add_argument("--passphrase-fd", type=int)


def given_secrets(given):
    """(key file's bytes, passphrase) of the options of add_secret_options; None is what was not given."""
    key_file = passphrase = None
    if given.key_file:
        with open(given.key_file, "rb") as opened:
            key_file = opened.read()
    if given.passphrase_fd is not None:
        with os.fdopen(given.passphrase_fd, "rb") as opened:
            passphrase = opened.read().rstrip(b"\n")
    return key_file, passphrase


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("database")
    add_secret_options(parser)
    parser.add_argument("--anchor")
    given = parser.parse_args()
    key_file, passphrase = given_secrets(given)
    database = sqlite3.connect("file:%s?mode=ro" % given.database, uri=True)
    try:
        store = load(database)
        store.unlock(key_file, passphrase)
        count = store.verify()
        if given.anchor:
            with open(given.anchor, "rb") as opened:
                row = store.rows["anchor"][0]
                print("anchor: " + anchor_standing(opened.read(), row, store.identifier, store.secrets["anchor", "anchor"]))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 65
    finally:
        database.close()
    print("holds: %d rows, %d secrets" % (count, len(store.secrets)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
