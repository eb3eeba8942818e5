"""The vectors of what rests: what make_vectors.py writes into at-rest.json (docs/spec/at-rest.md, section 15).

Each flaw is one change of a made-up store. Every expectation is written down beside its flaw, then the reader of at_rest.py has to
come to the same.
"""

import at_rest as r
import waxwing as w
from audit_log import blake2b
from store_maker import (
    NOW, Cases, applied, bare_store, edit_at, edited, json_document, phone_store, sealer_store, whole, wrap, written_change)


class AtRest(Cases):
    def __init__(self, random):
        super().__init__("at-rest")
        self.random = random
        self.sealer, self.former, self.digest_key = sealer_store(random)
        self.phone, self.bare = phone_store(random), bare_store(random)
        self.stores = {"sealer": self.sealer, "phone": self.phone, "bare": self.bare}

    def refuse(self, rule, about, store, changes, at, names, outcome="damaged", unlock=None, without=(), place=None):
        s = self.stores[store]
        given = unlock or s.unlock
        found = r.Store(applied(s.rows, changes))
        try:
            found.unlock(given.get("key_file"), given["passphrase"].encode() if "passphrase" in given else None)
            found.class_keys = {key: value for key, value in found.class_keys.items() if key[0] not in without}
            got = {"outcome": "opened", "secret": found.open(place).hex()} if place else {"outcome": "holds", "rows": found.verify()}
        except r.Refused as refused:
            got = {"outcome": refused.outcome, "at": refused.at, "names": refused.names}
        case = {"store": store}
        if place:
            case["open"] = place
        if changes:
            case["changes"] = [written_change(change) for change in changes]
        if unlock:
            case["unlock"] = {name: w.b64url(value) if isinstance(value, bytes) else value for name, value in unlock.items()}
        if without:
            case["without"] = list(without)
        self.take(rule, about, {"outcome": outcome, "at": at, "names": names}, got, **case)

    def make(self):
        self.unlocking()
        self.seals()
        self.forms()
        self.secrets()
        self.digests()
        self.database()
        self.anchors()
        self.generations()
        return self

    def row(self, store, table, index=-1):
        return self.stores[store].rows[table][index]

    def edit(self, rule, about, store, table, changes, at, index=-1, names=None, **more):
        row = self.row(store, table, index)
        self.refuse(rule, about, store, [{"table": table, "row": row["id"], "set": changes}], at, names or "row %s/%s" % (table, row["id"]), **more)

    # Section 6.

    def unlocking(self):
        slot, phone = self.sealer.slot["id"], self.phone.slot["id"]
        key = self.sealer.unlock["key_file"]
        for store, unlock, rule, at, names, outcome in (
            ("sealer", {"key_file": key[:31]}, "R-key-file", "secret", "key file", "bad-input"),
            ("sealer", {"key_file": key + b"\0"}, "R-key-file", "secret", "key file", "bad-input"),
            ("phone", {"passphrase": ""}, "R-passphrase", "secret", "passphrase", "bad-input"),
            ("sealer", {"key_file": bytes(32)}, "R-secret-wrong", "keybag", "store", "authentication-failed"),
            ("phone", {"passphrase": "correct horse "}, "R-secret-wrong", "keybag", "store", "authentication-failed"),
            ("bare", {"key_file": key}, "R-secret-wrong", "keybag", "store", "authentication-failed"),
            ("sealer", {"passphrase": "correct horse"}, "R-secret-kind", "keybag", "store", "authentication-failed"),
            ("phone", {"key_file": key}, "R-secret-kind", "keybag", "store", "authentication-failed"),
        ):
            about = "%d bytes of key file" % len(unlock["key_file"]) if "key_file" in unlock else "passphrase %r" % unlock["passphrase"]
            self.refuse(rule, about, store, [], at, names, outcome, unlock)
        store = self.row("sealer", "store")
        self.refuse("R-store", "no row of the store", "sealer", [{"table": "store", "remove": store["id"]}], "store", "row store")
        other = dict(store, id="0" * 32)
        self.edit("R-store", "a name of 31 characters", "sealer", "store", {"id": "0" * 31}, "store", names="row store")
        self.refuse("R-store", "two rows of the store", "sealer", [{"table": "store", "add": other}], "store", "row store")
        for rule, changes in (("R-form-range", {"stopped": 3}), ("R-form-word", {"role": "backend"}), ("R-form-null", {"defaults": None})):
            changes["sealed"] = self.sealer.resealed("store", store, **changes)["sealed"]
            self.edit(rule, "the store's row: %s" % next(iter(changes)), "sealer", "store", changes, "store")
        self.refuse("R-slot-none", "no slot and no class key", "sealer", [{"table": "slot", "remove": slot}] + [
            {"table": "class_key", "remove": row["id"]} for row in self.sealer.rows["class_key"]], "keybag", "row slot")
        first = self.row("sealer", "class_key", 0)
        self.refuse("R-slot-gone", "class keys without their slot", "sealer", [{"table": "slot", "remove": slot}], "keybag", "row class_key/" + first["id"])
        self.refuse("R-slot-empty", "a slot without class keys", "sealer", [
            {"table": "class_key", "remove": row["id"]} for row in self.sealer.rows["class_key"]], "keybag", "row slot/" + slot)
        self.edit("R-slot-kind", "a kind that is none", "sealer", "slot", {"kind": "pin"}, "keybag")
        for rule, about, changes in (
            ("R-slot-passes", "no passes", {"passes": 0}), ("R-slot-passes", "11 passes", {"passes": 11}), ("R-slot-passes", "passes absent", {"passes": None}),
            ("R-slot-memory", "7 MiB", {"memory_mib": 7}), ("R-slot-memory", "1,025 MiB", {"memory_mib": 1025}),
            ("R-slot-memory", "2^40 MiB", {"memory_mib": 1 << 40}), ("R-slot-memory", "memory absent", {"memory_mib": None}),
            ("R-slot-salt", "a salt of 15 bytes", {"salt": self.phone.slot["salt"][:15]}), ("R-slot-salt", "a salt of 17 bytes", {"salt": self.phone.slot["salt"] + b"\0"}),
        ):
            self.edit(rule, about, "phone", "slot", changes, "keybag")
        self.edit("R-secret-wrong", "an edited salt looks like another passphrase", "phone", "slot", {"salt": bytes(16)}, "keybag", names="store", outcome="authentication-failed")
        for name in r.NAMES:
            removed = [row for row in self.sealer.rows["class_key"] if row["name"] == name]
            self.refuse("R-key-missing", "no wrap of " + name, "sealer", [{"table": "class_key", "remove": row["id"]} for row in removed], "keybag", "row class_key/%s/%s" % (slot, name))
        row = next(row for row in self.sealer.rows["class_key"] if row["name"] == "after-first-unlock")
        place = next(i for i, other in enumerate(self.sealer.rows["class_key"]) if other is row)
        key, here = self.sealer.keys["after-first-unlock", 1], ("after-first-unlock", 1)
        s = self.sealer
        wraps = (
            ("nonce", edit_at(row["wrap"], 0)), ("ciphertext", edit_at(row["wrap"], 24)), ("tag", edit_at(row["wrap"], -1)), ("a byte less", row["wrap"][:-1]),
            ("a byte more", row["wrap"] + b"\0"), ("39 bytes", row["wrap"][:39]), ("that of another class key", self.row("sealer", "class_key", 0)["wrap"]))
        for about, wrapped in wraps:
            self.edit("R-key-wrap", about, "sealer", "class_key", {"wrap": wrapped}, "keybag", place)
        for about, more in (
            ("bound to another slot", {"slot": phone}), ("bound to another store", {"store": self.phone.identifier}), ("under another key", {"kek": bytes(32)}),
        ):
            self.edit("R-key-bound" if len(about) > 18 else "R-key-wrap", about, "sealer", "class_key", {"wrap": s.class_key_wrap(key, *here, **more)}, "keybag", place)
        self.edit("R-key-bound", "bound to another name", "sealer", "class_key", {"wrap": s.class_key_wrap(key, "when-unlocked", 1)}, "keybag", place)
        self.edit("R-key-bound", "bound to another version", "sealer", "class_key", {"wrap": s.class_key_wrap(key, here[0], 2)}, "keybag", place)
        for count in (31, 33):
            self.edit("R-key-length", "a class key of %d bytes" % count, "sealer", "class_key", {"wrap": s.class_key_wrap((key + b"\0")[:count], *here)}, "keybag", place)
        for about, changes in (("a name that is none", {"name": "always"}),):
            self.edit("R-key-name", about, "sealer", "class_key", changes, "keybag", place)
        for about, changes in (("another version", {"key_version": 3}), ("another slot", {"slot": phone}), ("another name", {"name": "integrity"})):
            self.edit("R-key-place", "its row's name says another: " + about, "sealer", "class_key", changes, "keybag", place)
        self.refuse("R-locked", "nothing can be told without the integrity key", "sealer", [], "locked", "row digest/root", "locked", without=("integrity",))
        for name, table in (("when-unlocked", "item"), ("after-first-unlock-this-device-only", "identity")):
            row = next(row for row in self.phone.rows[table] if row["class_key"] == name)
            place = "%s/%s" % (table, row["id"])
            self.refuse("R-locked", "a secret whose class key is locked away", "phone", [], "locked", "row " + place, "locked", without=(name,), place=place)
        row = next(row for row in self.phone.rows["held_epoch"] if not row["item_key"])
        self.refuse("R-gone", "a secret that was erased", "phone", [], "secret", "row held_epoch/" + row["id"], "not-found", place="held_epoch/" + row["id"])

    # Section 7.

    def seals(self):
        for store in ("sealer", "phone"):
            s = self.stores[store]
            for table in r.TABLES:
                if not s.rows[table.name] or store == "phone" and self.sealer.rows[table.name]:
                    continue
                self.seals_of(store, table)
        s, row = self.sealer, self.row("sealer", "member")
        seals = (
            ("R-seal-length", "a seal of 39 bytes", row["sealed"][:39]), ("R-seal-length", "a seal of 41 bytes", row["sealed"] + b"\0"),
            ("R-seal-length", "an empty seal", b""), ("R-seal-nonce", "nonce, first byte", edit_at(row["sealed"], 0)),
            ("R-seal-nonce", "nonce, last byte", edit_at(row["sealed"], 23)), ("R-seal-tag", "tag, first byte", edit_at(row["sealed"], 24)),
            ("R-seal-tag", "tag, last byte", edit_at(row["sealed"], -1)), ("R-seal-key", "under a class key", self.sealed_by("member", row, key=s.keys["after-first-unlock", 1])),
            ("R-seal-key", "under the integrity key of another store", self.sealed_by("member", row, key=self.phone.keys["integrity", 1])),
            ("R-seal-store", "of another store", self.sealed_by("member", row, store=self.phone.identifier)),
            ("R-seal-length", "a seal over one byte", wrap(self.random, b"\0", s.keys["integrity", 1], r.row_context(s.identifier, r.BY_NAME["member"], row))))
        for rule, about, sealed in seals:
            self.edit(rule, about, "sealer", "member", {"sealed": sealed}, "seal")
        self.edit("R-seal-place", "the seal of another row", "sealer", "member", {"sealed": self.row("sealer", "member", 0)["sealed"]}, "seal")
        handle = self.row("sealer", "handle_use")
        moved = {"id": handle["id"], "version": 1, "last_use": NOW, "sealed": b""}
        self.refuse("R-seal-table", "a row of sequence in handle_use", "sealer", [
            {"table": "handle_use", "remove": handle["id"]},
            {"table": "handle_use", "add": dict(moved, sealed=self.sealed_by("sequence", {"id": handle["id"], "version": 1, "last": NOW, "sealed": b""}))},
        ], "seal", "row handle_use/" + handle["id"])
        index = next(i for i, row in enumerate(s.rows["conversation_secret"]) if row["item_key"])
        older = self.former["conversation_secret"][index]
        for names in (("item_key", "value"), ("item_key",), ("value",), ("item_key", "value", "sealed"), ("leased", "sealed"), ("version", "sealed")):
            self.edit("R-seal-older", "its older %s" % ", ".join(names), "sealer", "conversation_secret", {name: older[name] for name in names}, "seal", index)
        held = next(i for i, row in enumerate(self.phone.rows["held_epoch"]) if row["item_key"])
        self.edit("R-seal-shred", "its secret taken out", "phone", "held_epoch", dict.fromkeys(r.SECRET), "seal", held)
        gone = next(i for i, row in enumerate(self.phone.rows["held_epoch"]) if not row["item_key"])
        other = self.phone.rows["held_epoch"][held]
        self.edit("R-seal-shred", "another row's secret put in", "phone", "held_epoch", {name: other[name] for name in r.SECRET}, "seal", gone)
        # The same content, or none, in another form.
        conversation = self.row("sealer", "conversation", 0)
        self.edit("R-seal-form", "a text as bytes", "sealer", "conversation", {"algorithm": conversation["algorithm"].encode()}, "seal", 0)
        bundle = next(i for i, row in enumerate(self.sealer.rows["bundle"]) if row["content"])
        self.edit("R-seal-form", "bytes as text", "sealer", "bundle", {"content": self.sealer.rows["bundle"][bundle]["content"].decode()}, "seal", bundle)
        self.edit("R-seal-form", "an empty text as no bytes", "phone", "item", {"label": b""}, "seal", 0)
        self.edit("R-frame-value", "a number with a fraction where nothing was", "sealer", "conversation", {"until": 1.5}, "frame", 0)
        self.edit("R-frame-value", "a text that is not UTF-8", "sealer", "conversation", {"accessible": r.IllFormed(b"\xff")}, "frame", 0)
        for name, value in (("version", b"\1"), ("sealed", "x"), ("sealed", None), ("version", None)):
            self.edit("R-frame", "%s of another form" % name, "sealer", "member", {name: value}, "frame", names="a row of member")
        self.edit("R-frame", "name of another form", "sealer", "member", {"id": b"\1"}, "frame", names="a row of member")
        for name in r.SECRET:
            self.edit("R-frame-secret", "its secret without %s" % name, "sealer", "device", {name: None}, "frame", 0)
        self.edit("R-frame-secret", "a secret of another form", "sealer", "device", {"value": "x"}, "frame", 0)

    def sealed_by(self, table, row, **more):
        row = dict(row)
        self.sealer.seal(table, row, **more)
        return row["sealed"]

    def seals_of(self, store, table):
        """Each column of a table changed, and emptied or filled."""
        row = self.row(store, table.name)
        # The keybag is read before any seal: what is wrong with it is found there, by R-slot-… and R-key-….
        is_early = table.name in ("store", "slot", "class_key")
        for name in table.all_names[1:-1]:
            is_secret = table.secret and name in r.SECRET
            if is_secret and row[name] is None or (table.name, name) in (("store", "role"), ("slot", "kind")) or table.name == "class_key" and name != "version":
                continue
            rule = "R-seal-version" if name == "version" else "R-seal-secret" if is_secret else "R-seal-column" if row[name] is not None else "R-seal-null"
            value = edited(row[name]) if row[name] is not None else "A" if name in ("key_file", "name", "token", "reason", "kid") else 7
            self.edit(rule, "%s.%s changed" % (table.name, name), store, table.name, {name: value}, "seal")
            if row[name] is not None and not is_secret and name != "version" and not is_early:
                self.edit("R-seal-null", "%s.%s emptied" % (table.name, name), store, table.name, {name: None}, "seal")
        if not is_early:
            self.edit(
                "R-seal-name", "%s renamed" % table.name, store, table.name, {"id": row["id"] + "A"}, "seal", names="row %s/%sA" % (table.name, row["id"]))

    # Section 4: sealed anew, so that the seal holds and the form does not.

    def reform(self, rule, about, store, table, changes, index=-1):
        s, row = self.stores[store], self.row(store, table, index)
        new = s.resealed(table, row, **changes)
        set_ = {name: new[name] for name in list(changes) + ["sealed"]}
        self.edit(rule, about, store, table, set_, "form", index, names="row %s/%s" % (table, new["id"]))

    def forms(self):
        for table, name in (
            ("store", "defaults"), ("audit_entry", "at"), ("audit_entry", "mac"), ("device", "name"), ("device", "removing"), ("sequence", "last"),
            ("conversation", "algorithm"), ("conversation_secret", "epoch"), ("lease", "count"), ("member", "device"), ("bundle", "state"),
            ("rotation_run", "run"), ("replacement", "successor"), ("digest", "count"), ("anchor", "path"), ("service_key", "created"),
        ):
            if table != "store":
                self.reform("R-form-null", "%s.%s is empty" % (table, name), "sealer", table, {name: None})
        for store, table, name, value in (
            ("sealer", "audit_entry", "at", "then"), ("sealer", "conversation", "created", b"1"), ("sealer", "device", "public_key", "x"),
            ("sealer", "member", "added", "x"), ("sealer", "conversation", "until", "soon"), ("sealer", "audit_entry", "token", 5),
            ("phone", "item", "label", b"x"), ("phone", "device_state", "replay_floor", "x"), ("phone", "held_epoch", "open_until", b"\1"),
        ):
            self.reform("R-form-type", "%s.%s of another form" % (table, name), store, table, {name: value})
        for store, table, name, value in (
            ("sealer", "conversation", "algorithm", "A256GCM"), ("sealer", "conversation", "accessible", "always"),
            ("sealer", "conversation_secret", "state", "Active"), ("sealer", "bundle", "state", "lost"), ("sealer", "audit_entry", "operation", "open"),
            ("sealer", "audit_entry", "result", "failed"), ("sealer", "rotation_run", "id", "rotate"), ("sealer", "service_key", "id", "spare"),
            ("phone", "identity", "id", "signing-key"), ("phone", "held_epoch", "state", ""), ("phone", "split_key", "state", "revoked"),
        ):
            self.reform("R-form-word", "%s.%s is %r" % (table, name, value), store, table, {name: value})
        for store, table, name in (("sealer", "device", "removing"), ("phone", "device_state", "split_allowed")):
            for value in (2, -1):
                self.reform("R-form-flag", "%s.%s is %d" % (table, name, value), store, table, {name: value})
        handle = self.row("sealer", "lease")["kid"]
        for table, changes in (
            ("digest", {"count": -1}), ("audit_log", {"entries": -1}), ("audit_log", {"entries": r.LAST_ENTRY + 1}), ("conversation_secret", {"epoch": -1}),
            ("conversation_secret", {"epoch": 65536}), ("conversation_secret", {"leased": -1}), ("conversation_secret", {"leased": r.LAST_SEAL + 1}),
            ("lease", {"count": 0}), ("lease", {"first": -1, "id": "%s/0000000-1" % handle}), ("bundle", {"epoch": 65536}), ("bundle", {"epoch": -1}),
            ("lease", {"count": r.LAST_SEAL, "first": 64}),
        ):
            self.reform("R-form-range", ", ".join("%s.%s is %s" % (table, *pair) for pair in changes.items()), "sealer", table, changes)
        for table, name, counts in (
            ("audit_log", "checkpoint_key", (31, 33)), ("audit_log", "head", (31, 33)), ("audit_entry", "previous", (0, 33)), ("audit_entry", "mac", (31, 64)),
        ):
            for count in counts:
                self.reform("R-form-length", "%s.%s of %d bytes" % (table, name, count), "sealer", table, {name: bytes(count)})
        self.reform("R-form-length", "audit_log.log of 31 characters", "sealer", "audit_log", {"log": "0" * 31})
        for table, name, value in (
            ("member", "acknowledged", "AAAAAAAAAAAAAAAA"), ("member", "acknowledged", "AAAAAAAAAAAAAAAA.01"), ("lease", "kid", "AAAAAAAAAAAAAAAA.65536"),
            ("audit_entry", "kid", "AAAAAAAAAAAAAAA.0"),
        ):
            self.reform("R-form-kid", "%s.%s is %s" % (table, name, value), "sealer", table, {name: value})
        for table, name, value in (("conversation", "id", "two words"), ("member", "conversation", ""), ("rotation_run", "last_conversation", "x" * 65), ("bundle", "conversation", "\u00e9")):
            self.reform("R-form-cid", "%s.%s is no cid" % (table, name), "sealer", table, {name: value})
        for table, name, value in (("handle_use", "id", "AAAA"), ("conversation_secret", "id", "AAAAAAAAAAAAAA=="), ("bundle", "handle", "AAAAAAAAAAAAAAAAA")):
            self.reform("R-form-handle", "%s.%s is no handle" % (table, name), "sealer", table, {name: value})
        for table, name, value in (("device", "id", "A" * 42), ("replacement", "successor", "A" * 42 + "B"), ("sequence", "id", "ceiling"), ("replacement", "id", "A" * 44)):
            self.reform("R-form-thumbprint", "%s.%s is no thumbprint" % (table, name), "sealer", table, {name: value})
        other = self.row("sealer", "member", 0)
        for store, table, changes in (
            ("sealer", "member", {"conversation": "chat-9"}), ("sealer", "member", {"device": other["device"]}), ("sealer", "lease", {"first": 65}),
            ("sealer", "bundle", {"sequence": 5}), ("sealer", "bundle", {"device": other["device"]}), ("phone", "held_epoch", {"epoch": 9}),
            ("phone", "held_epoch", {"handle": "AAAAAAAAAAAAAAAA"}), ("phone", "item", {"account": "bob"}), ("phone", "item", {"service": "mailA"}),
            ("sealer", "audit_entry", {"id": "5"}), ("sealer", "audit_entry", {"id": "0" * 16}), ("sealer", "audit_log", {"id": "other"}),
            ("sealer", "anchor", {"id": "second"}), ("sealer", "digest", {"id": "member/16"}), ("sealer", "digest", {"id": "member/01"}),
            ("sealer", "digest", {"id": "digest/0"}), ("sealer", "digest", {"id": "housekeeping/0"}), ("phone", "device_state", {"id": "other"}),
        ):
            self.reform("R-form-name", "%s: its name is not that of its %s" % (table, ", ".join(changes)), store, table, changes)
        pending = next(i for i, row in enumerate(self.sealer.rows["bundle"]) if row["content"])
        self.reform("R-form-bundle", "pending without content", "sealer", "bundle", {"content": None}, pending)
        self.reform("R-form-bundle", "acknowledged with content", "sealer", "bundle", {"state": "acknowledged"}, pending)

    # Section 8: sealed anew, so that the seal holds and the secret does not open.

    def resecret(self, rule, about, store, table, changes, index=0):
        s, row = self.stores[store], self.row(store, table, index)
        new = s.resealed(table, row, **changes)
        self.edit(rule, about, store, table, {name: new[name] for name in list(changes) + ["sealed"]}, "secret", index)

    def secrets(self):
        s, row, other = self.sealer, self.row("sealer", "device", 0), self.row("sealer", "device", 1)
        here, table = (row["class_key"], row["class_key_version"]), r.BY_NAME["device"]
        item_context, value_context = (r.secret_context(part, s.identifier, table, row) for part in ("item key", "value"))
        item_key = r.unwrap(row["item_key"], s.keys[here], item_context)
        value = r.unwrap(row["value"], item_key, value_context)
        self.resecret("R-secret-class", "a class that is none", "sealer", "device", {"class_key": "always"})
        for version in (0, -1):
            self.resecret("R-secret-version", "version %d" % version, "sealer", "device", {"class_key_version": version})
        self.resecret("R-secret-absent", "a version that there is not", "sealer", "device", {"class_key_version": 3})
        for about, place in (("nonce", 0), ("ciphertext", 24), ("tag", -1)):
            self.resecret("R-item-key", about, "sealer", "device", {"item_key": edit_at(row["item_key"], place)})
            self.resecret("R-value", about, "sealer", "device", {"value": edit_at(row["value"], place)})
        for about, wrapped in (("a byte less", row["item_key"][:-1]), ("a byte more", row["item_key"] + b"\0"), ("nothing", b"")):
            self.resecret("R-item-key", about, "sealer", "device", {"item_key": wrapped})
        for count in (31, 33):
            self.resecret("R-item-key-length", "%d bytes" % count, "sealer", "device", {"item_key": wrap(self.random, (item_key + b"\0")[:count], s.keys[here], item_context)})
        for count in (0, 39):
            self.resecret("R-value-length", "%d bytes" % count, "sealer", "device", {"value": row["value"][:count]})
        self.resecret("R-value", "a byte less", "sealer", "device", {"value": row["value"][:-1]})
        self.resecret("R-value", "a byte more", "sealer", "device", {"value": row["value"] + b"\0"})
        self.resecret("R-secret-key", "item key under another class key", "sealer", "device", {"item_key": wrap(self.random, item_key, s.keys["when-unlocked", 1], item_context)})
        self.resecret("R-secret-key", "value under another item key", "sealer", "device", {"value": wrap(self.random, value, bytes(32), value_context)})
        self.resecret("R-secret-key", "value under the class key itself", "sealer", "device", {"value": wrap(self.random, value, s.keys[here], value_context)})
        self.resecret("R-secret-part", "item key and value each in the other's place", "sealer", "device", {"item_key": row["value"], "value": row["item_key"]})
        self.resecret("R-secret-class-moved", "another class, not wrapped anew", "sealer", "device", {"class_key": "when-unlocked"})
        self.resecret("R-secret-version-moved", "another version, not wrapped anew", "sealer", "device", {"class_key_version": 3 - row["class_key_version"]})
        self.resecret("R-secret-row", "another row's secret", "sealer", "device", {name: other[name] for name in r.SECRET})
        identity = self.phone.rows["identity"]
        self.resecret("R-secret-row", "one half of an identity in the other's place", "phone", "identity", {name: identity[1][name] for name in r.SECRET})
        for store, name in (("sealer", "conversation_secret"), ("phone", "held_epoch"), ("phone", "item"), ("phone", "identity"), ("phone", "split_key"), ("sealer", "device"), ("sealer", "service_key"), ("sealer", "audit_log"), ("sealer", "anchor")):
            table = r.BY_NAME[name]
            index = next(i for i, row in enumerate(self.stores[store].rows[name]) if row["item_key"])
            row = self.row(store, name, index)
            for column in table.names:
                if column in table.changing or column in ("handle", "epoch", "service", "account") and name in ("held_epoch", "item"):
                    continue
                value = {"conversation": "chat-9", "algorithm": "split" if row.get("algorithm") != "split" else "dir", "accessible": r.CLASSES[2], "thumbprint": "A" * 43, "log": "0" * 32, "epoch": 77}.get(column)
                if value is None:
                    value = "A" if row[column] is None else edited(row[column])
                self.resecret("R-secret-column", "%s.%s changed" % (name, column), store, name, {column: value}, index)
        for store, copied, part in (("sealer", self.phone.identifier, "item key"), ("sealer", self.phone.identifier, "value")):
            table, row = r.BY_NAME["device"], self.row("sealer", "device", 0)
            context = r.secret_context(part, copied, table, row)
            changes = {"item_key": wrap(self.random, item_key, s.keys[here], context)} if part == "item key" else {"value": wrap(self.random, value_of(s, row), item_key, context)}
            self.resecret("R-secret-store", "%s bound to another store" % part, store, "device", changes)

    # Section 9.

    def digests(self):
        s = self.sealer
        for table in ("member", "lease", "replacement", "audit_entry", "sequence", "rotation_run"):
            index = 0 if table == "audit_entry" else -1
            row = self.row("sealer", table, index)
            if table == "audit_entry":
                continue
            self.refuse("R-digest-gone", "a row of %s is gone" % table, "sealer", [{"table": table, "remove": row["id"]}], "digest", "digest " + r.shard_of(table, row["id"]))
        member = self.row("sealer", "member")
        older = next(row for row in self.former["member"] if row["id"] == member["id"])
        self.edit("R-digest-older", "an older whole row", "sealer", "member", {name: older[name] for name in ("version", "acknowledged", "sealed")}, "digest", names="digest " + r.shard_of("member", member["id"]))
        same = s.resealed("member", member)
        self.edit("R-digest-older", "the same row sealed once more", "sealer", "member", {"sealed": same["sealed"]}, "digest", names="digest " + r.shard_of("member", member["id"]))
        extra = s.resealed("sequence", {"id": w.b64url(bytes(32)), "version": 1, "last": 1, "sealed": b""})
        self.refuse("R-digest-added", "a row that was never counted", "sealer", [{"table": "sequence", "add": extra}], "digest", "digest " + r.shard_of("sequence", extra["id"]))
        shard = r.shard_of("member", member["id"])
        old = {row["id"]: row for row in self.former["digest"]}
        put_back = [{"table": "member", "row": member["id"], "set": {name: older[name] for name in ("version", "acknowledged", "sealed")}}, whole("digest", old[shard])]
        self.refuse("R-digest-shard", "an older row with its older shard", "sealer", put_back, "digest", "digest root")
        self.refuse("R-digest-shard", "an older shard alone", "sealer", put_back[1:], "digest", "digest " + shard)
        self.refuse("R-digest-shard", "a shard is gone", "sealer", [{"table": "digest", "remove": shard}], "digest", "digest " + shard)
        removed = [{"table": "member", "remove": row["id"]} for row in s.rows["member"]]
        shards = sorted({r.shard_of("member", row["id"]) for row in s.rows["member"]})
        self.refuse("R-digest-shard", "a table emptied with its shards", "sealer", removed + [{"table": "digest", "remove": name} for name in shards], "digest", "digest root")
        self.refuse("R-digest-root-older", "an older root", "sealer", [whole("digest", old["root"])], "digest", "digest root")
        self.refuse("R-digest-root", "no root", "sealer", [{"table": "digest", "remove": "root"}], "digest", "row digest/root")
        for name, rule, about, wrapped in (
            (shard, "R-digest-sum", "a sum bound to another shard", s.sum("member/99", bytes(32))), (shard, "R-digest-sum", "a sum under another key", s.sum(shard, bytes(32), bytes(32))),
            (shard, "R-digest-sum-length", "a sum of 31 bytes", s.sum(shard, bytes(31))), (shard, "R-digest-sum-length", "a sum of 64 bytes", s.sum(shard, bytes(64))),
            ("root", "R-digest-sum-length", "a root without the key", s.sum("root", bytes(32))), ("root", "R-digest-sum", "a root bound to a shard", s.sum(shard, bytes(64))),
        ):
            index = next(i for i, row in enumerate(s.rows["digest"]) if row["id"] == name)
            new = s.resealed("digest", s.rows["digest"][index], sum=wrapped)
            self.edit(rule, about, "sealer", "digest", {"sum": wrapped, "sealed": new["sealed"]}, "digest", index)
        entry = self.row("sealer", "audit_entry")
        self.refuse("R-log", "the last audit entry is gone", "sealer", [{"table": "audit_entry", "remove": entry["id"]}], "log", "audit entry %d" % int(entry["id"]))
        self.refuse("R-log", "the log's own row is gone", "sealer", [{"table": "audit_log", "remove": "log"}], "log", "audit entry 1")

    # Sections 4 and 10.

    def database(self):
        index = "CREATE INDEX member_by_device ON member (device)"
        lying = (
            "DROP INDEX member_by_device; %s WHERE added < 0; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '%s' WHERE name = 'member_by_device'; "
            "PRAGMA writable_schema = RESET" % (index, index))
        # A name that SQLite keeps for itself, as it can be given past SQLite.
        own = "; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET %s WHERE name = 'more'; PRAGMA writable_schema = RESET"
        own = own % ", ".join("%s = replace(%s, 'more', 'sqlite_more')" % (name, name) for name in ("sql", "tbl_name", "name"))
        entry = (
            "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT %s, name, tbl_name, rootpage, NULL FROM sqlite_schema WHERE name = 'lease_by_kid'; "
            "PRAGMA writable_schema = RESET")
        for rule, about, outcome, at, names, sql in (
            ("R-schema-newer", "a migration that is not known", "schema-from-the-future", "schema", "database", "INSERT INTO schema_migration VALUES (6, 'later', 'x', 0)"),
            ("R-schema-older", "a migration that is missing", "refused", "schema", "database", "DELETE FROM schema_migration WHERE version = 5"),
            ("R-schema-other", "another checksum", "damaged", "schema", "database", "UPDATE schema_migration SET checksum = 'x' WHERE version = 2"),
            ("R-schema-other", "another name", "damaged", "schema", "database", "UPDATE schema_migration SET name = 'x' WHERE version = 3"),
            ("R-schema-other", "one left out", "damaged", "schema", "database", "DELETE FROM schema_migration WHERE version = 3"),
            ("R-object-missing", "an index that is missing", "damaged", "structure", "index lease_by_kid of the database", "DROP INDEX lease_by_kid"),
            ("R-object-other", "an index on another column", "damaged", "structure", "index lease_by_kid of the database", "DROP INDEX lease_by_kid; CREATE INDEX lease_by_kid ON lease (first)"),
            ("R-object-other", "an index that leaves rows out", "damaged", "structure", "index lease_by_kid of the database", "DROP INDEX lease_by_kid; CREATE INDEX lease_by_kid ON lease (kid) WHERE first > 0"),
            ("R-object-other", "a column more", "damaged", "structure", "table member of the database", "ALTER TABLE member ADD COLUMN more TEXT"),
            ("R-object-added", "a table", "damaged", "structure", "table more of the database", "CREATE TABLE more (id)"),
            ("R-object-added", "a view", "damaged", "structure", "view more of the database", "CREATE VIEW more AS SELECT id FROM member"),
            ("R-object-added", "a trigger", "damaged", "structure", "trigger more of the database", "CREATE TRIGGER more AFTER DELETE ON member BEGIN DELETE FROM lease; END"),
            ("R-object-added", "a table, named as SQLite's own are", "damaged", "structure", "table sqlite_more of the database", "CREATE TABLE more (id)" + own),
            ("R-object-added", "a view, named as SQLite's own are", "damaged", "structure", "view sqlite_more of the database", "CREATE VIEW more AS SELECT id FROM member" + own),
            ("R-object-added", "a trigger, named as SQLite's own are", "damaged", "structure", "trigger sqlite_more of the database", "CREATE TRIGGER more AFTER DELETE ON member BEGIN DELETE FROM lease; END" + own),
            ("R-object-added", "an index that allows a value once, named as SQLite's own are", "damaged", "structure", "index sqlite_more of the database", "CREATE UNIQUE INDEX more ON member (id, device)" + own),
            ("R-object-added", "an index a second time", "damaged", "structure", "index lease_by_kid of the database", entry % "type"),
            ("R-object-added", "an entry of no kind", "damaged", "structure", "row of the database", entry % "NULL"),
            ("R-object-added", "what SQLite counts for its planner", "damaged", "structure", "table sqlite_stat1 of the database", "ANALYZE"),
            ("R-object-rows", "an index that leaves rows out under the text of the right one", "damaged", "structure", "database", lying),
        ):
            database = r.new_database()
            for table in r.TABLES:
                for row in self.sealer.rows[table.name]:
                    database.execute("INSERT INTO %s (%s) VALUES (%s)" % (table.name, ", ".join(row), ", ".join("?" * len(row))), list(row.values()))
            database.executescript(sql)
            try:
                store = r.load(database)
                store.unlock(self.sealer.unlock["key_file"])
                got = {"outcome": "holds", "rows": store.verify()}
            except r.Refused as refused:
                got = {"outcome": refused.outcome, "at": refused.at, "names": refused.names}
            self.take(rule, about, {"outcome": outcome, "at": at, "names": names}, got, store="sealer", sql=sql)

    def anchor_file(self, number, value, key, store=None):
        text = "waxwing anchor 1\nstore %s\nnumber %s\nvalue %s\n" % (store or self.sealer.identifier, number, value.hex())
        return text + "mac %s\n" % blake2b(text.encode(), key).hex()

    def anchors(self):
        row = self.row("sealer", "anchor")
        key = self.sealer.read()
        key.verify()
        key = key.secrets["anchor", "anchor"]
        good, other = self.anchor_file(2, row["mark"], key), self.random.take(32)
        for outcome, text in (("holds", good), ("behind", self.anchor_file(1, row["former_mark"], key))):
            got = {"outcome": r.anchor_standing(text.encode(), row, self.sealer.identifier, key)}
            self.take(None, "it says the same" if outcome == "holds" else "one commit behind", {"outcome": outcome}, got, store="sealer", anchor=text)
        lines = good.split("\n")
        for rule, about, outcome, names, text in (
            ("R-anchor-form", "empty", "bad-input", "file", ""), ("R-anchor-form", "another first line", "bad-input", "file", good.replace("anchor 1", "anchor 2")),
            ("R-anchor-form", "a line more", "bad-input", "file", good + "more\n"), ("R-anchor-form", "no line feed at its end", "bad-input", "file", good[:-1]),
            ("R-anchor-form", "its lines in another order", "bad-input", "file", "\n".join(lines[:2] + [lines[3], lines[2]] + lines[4:])),
            ("R-anchor-form", "upper-case digits", "bad-input", "file", "\n".join(lines[:3] + [lines[3].upper().replace("VALUE", "value")] + lines[4:])),
            ("R-anchor-form", "a zero before the number", "bad-input", "file", good.replace("number 2", "number 02")),
            ("R-anchor-form", "a carriage return", "bad-input", "file", good.replace("\n", "\r\n")),
            ("R-anchor-form", "longer than 512 bytes", "bad-input", "file", self.anchor_file(2, bytes(300), key)),
            ("R-anchor-store", "of another store", "bad-input", "file", self.anchor_file(2, row["mark"], key, self.phone.identifier)),
            ("R-anchor-mac", "another number", "damaged", "file", good.replace("number 2", "number 3")),
            ("R-anchor-mac", "another value", "damaged", "file", good.replace(row["mark"].hex(), other.hex())),
            ("R-anchor-mac", "another MAC", "damaged", "file", good.replace(lines[4], "mac " + other.hex())),
            ("R-anchor-mac", "a MAC cut short", "damaged", "file", good.replace(lines[4], lines[4][:-2])),
            ("R-anchor-mac", "under another key", "damaged", "file", self.anchor_file(2, row["mark"], other)),
            ("R-anchor-begun", "begun, and come to nothing", "unavailable", "file", self.anchor_file(0, other, other)),
            ("R-anchor-older", "it knows of a later commit", "damaged", "store", self.anchor_file(3, other, key)),
            ("R-anchor-apart", "the same commit, and another mark", "damaged", "store", self.anchor_file(2, other, key)),
            ("R-anchor-apart", "the commit before, and another mark", "damaged", "store", self.anchor_file(1, other, key)),
            ("R-anchor-apart", "two commits behind", "damaged", "store", self.anchor_file(0, row["former_mark"], key)),
        ):
            try:
                got = {"outcome": r.anchor_standing(text.encode(), row, self.sealer.identifier, key)}
            except r.Refused as refused:
                got = {"outcome": refused.outcome, "at": refused.at, "names": refused.names}
            self.take(rule, about, {"outcome": outcome, "at": "anchor", "names": names}, got, store="sealer", anchor=text)

    def generations(self):
        for rule, about, outcome, names, numbers in (
            (None, "as after any commit", "holds", None, (7, 7, 7)), (None, "a writer between its commit and its end", "holds", None, (8, 8, 7)),
            (None, "the largest", "holds", None, (7, 7, r.GENERATIONS - 1)),
            ("R-generation", "committed 2^53", "damaged", "table housekeeping", (r.GENERATIONS, 7, 7)),
            ("R-generation", "committed below 0", "damaged", "table housekeeping", (-1, 7, 7)),
            ("R-generation", "started 2^53", "damaged", "generation", (7, r.GENERATIONS, 7)),
            ("R-generation", "completed all ones", "damaged", "generation", (7, 7, (1 << 64) - 1)),
        ):
            try:
                r.check_generation(*numbers)
                got = {"outcome": "holds"}
            except r.Refused as refused:
                got = {"outcome": refused.outcome, "at": refused.at, "names": refused.names}
            expect = {"outcome": outcome, "at": "generation", "names": names} if names else {"outcome": outcome}
            # As text, since not every JSON parser reads integers of 64 bits.
            generation = {name: str(number) for name, number in zip(("committed", "started", "completed"), numbers)}
            self.take(rule, about, expect, got, store="sealer", generation=generation)

    def document(self):
        about = "Stores at rest; docs/spec/at-rest.md, section 15, says how this is read."
        return json_document("waxwing-at-rest/1", about, self)


def value_of(s, row):
    table = r.BY_NAME["device"]
    item_key = r.unwrap(row["item_key"], s.keys[row["class_key"], row["class_key_version"]], r.secret_context("item key", s.identifier, table, row))
    return r.unwrap(row["value"], item_key, r.secret_context("value", s.identifier, table, row))
