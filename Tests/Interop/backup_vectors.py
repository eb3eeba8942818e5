"""The vectors of backup files: what make_vectors.py writes into backup.json (docs/spec/backup.md, section 8)."""

import hashlib

import at_rest as r
import backup as b
import waxwing as w
from audit_log import encode
from store_maker import NOW, phone_store, sealer_store

WORK = (1, 8)


class Raw(bytes):
    """What stands in a plain text without form and length."""


def joined(parts):
    return b"".join(bytes(part) if isinstance(part, Raw) else encode(part) for part in parts)


def pieces(plain):
    """The plain text as vectors write it: long runs of zeros by their number."""
    run, found = bytes(1000), []
    while run in plain:
        at = plain.index(run)
        end = at
        while end < len(plain) and plain[end] == 0:
            end += 1
        found += [w.b64url(plain[:at]), {"zeros": end - at}]
        plain = plain[end:]
    return found + [w.b64url(plain)]


class Maker:
    def __init__(self, random):
        self.random, self.files, self.cases, self.made = random, [], [], {}

    def records(self, store, rows, secrets):
        """The parts of a backup of that store."""
        parts = ["backup", store.role, store.identifier, "group.waxwing.default", NOW, r.SCHEMA, b"{}"]
        count = 0
        for name in b.TABLES:
            table = r.BY_NAME[name]
            parts += ["table", name, len(table.names), *table.names]
            for row in rows[name]:
                if str(row.get("class_key")).endswith("only") or name == "held_epoch" and row["accessible"].endswith("only"):
                    continue
                count += 1
                parts += ["row", row["id"], *(row[column] for column in table.names)]
                if table.secret:
                    parts += [row["class_key"], secrets.get((name, row["id"]))]
        return parts + ["end", count]

    def sealed(self, plain, unlock, lengths=None, tags=None, salt=None):
        salt, stream = salt or self.random.take(16), self.random.take(24)
        work = WORK if "passphrase" in unlock else None
        key = b.passphrase_key(unlock["passphrase"].encode(), salt, work) if work else unlock["key_file"]
        head = b.header(key, salt, stream, work)
        stream_key = b.derive("stream", head[:42], key)
        if lengths is None:
            lengths = [b.CHUNK] * ((len(plain) - 1) // b.CHUNK)
            lengths.append(len(plain) - sum(lengths))
        return head, stream_key, head + b.sealed(head, stream_key, plain, lengths, tags)

    def file(self, name, about, parts, unlock):
        plain = joined(parts)
        head, stream_key, whole = self.sealed(plain, unlock)
        rows = b.Reader(b.opened(whole, **self.given(unlock))).read()
        self.made[name] = (plain, unlock, whole)
        self.files.append({
            "id": name, "about": about, **self.written(unlock), "stream_key": w.b64url(stream_key), "header": w.b64url(head), "plain": pieces(plain),
            "bytes": len(whole), "sha256": w.b64url(hashlib.sha256(whole).digest()), "rows": sum(map(len, rows.values()))})

    @staticmethod
    def given(unlock):
        return {"key_file": unlock.get("key_file"), "passphrase": unlock["passphrase"].encode() if "passphrase" in unlock else None}

    @staticmethod
    def written(unlock):
        return {name: w.b64url(value) if isinstance(value, bytes) else value for name, value in unlock.items()}

    def refuse(self, rule, about, expect, name, change=None, unlock=None):
        plain, own, whole = self.made[name]
        try:
            b.Reader(b.opened(changed(whole, change or {}), **self.given(unlock or own))).read()
            got = "read"
        except b.Refused as refused:
            got = str(refused)
        if got != expect:
            raise SystemExit("backup %s (%s): %s, expected %s" % (rule, about, got, expect))
        case = {"id": "b-%02d" % (len(self.cases) + 1), "rule": rule, "about": about, "file": name}
        if unlock:
            case.update(self.written(unlock))
        if change:
            case["change"] = change
        self.cases.append({**case, "expect": expect})

    def make(self):
        sealer, phone = sealer_store(self.random)[0], phone_store(self.random)
        key, words = {"key_file": self.random.take(32)}, {"passphrase": "correct horse battery"}
        read = sealer.read()
        read.verify()
        self.parts = parts = self.records(sealer, sealer.rows, read.secrets)
        self.file("backend", "a backend's, opened by a key file", parts, key)
        read = phone.read()
        read.verify()
        item = next(row for row in phone.rows["item"] if row["class_key"] == "when-unlocked")
        read.secrets["item", item["id"]] = b""
        room = b.CHUNK - len(joined(self.records(phone, phone.rows, read.secrets)))
        read.secrets["item", item["id"]] = bytes(room)
        self.file("phone", "a phone's, opened by a passphrase; one chunk, full", self.records(phone, phone.rows, read.secrets), words)
        read.secrets["item", item["id"]] = bytes(room + 70000)
        self.file("long", "three chunks", self.records(phone, phone.rows, read.secrets), words)
        self.headers(key, words)
        self.chunks(key)
        self.plain_texts(key)
        return self

    def headers(self, key, words):
        wrong = {"key_file": bytes(32)}
        self.refuse("BF-secret", "another key file", "authentication-failed", "backend", unlock=wrong)
        self.refuse("BF-secret", "another passphrase", "authentication-failed", "phone", unlock={"passphrase": "correct horse batterY"})
        self.refuse("BF-secret-kind", "a passphrase for a key file's", "bad-input", "backend", unlock=words)
        self.refuse("BF-secret-kind", "a key file for a passphrase's", "bad-input", "phone", unlock=key)
        for end in (0, 17, 97):
            self.refuse("BF-file", "%d bytes" % end, "bad-input", "backend", {"cut": end})
        for place in (0, 16):
            self.refuse("BF-file", "byte %d changed" % place, "bad-input", "backend", {"flip": place})
        for value in (0, 3):
            self.refuse("BF-kind", "kind %d" % value, "damaged", "backend", {"at": 17, "byte": value})
        for rule, name, place, value in (
            ("BF-passes", "phone", 21, 0), ("BF-passes", "phone", 21, 11), ("BF-passes", "phone", 18, 1), ("BF-memory", "phone", 25, 7), ("BF-memory", "phone", 22, 1),
            ("BF-memory", "phone", 24, 5), ("BF-work", "backend", 21, 1), ("BF-work", "backend", 25, 8),
        ):
            self.refuse(rule, "byte %d is %d" % (place, value), "damaged", name, {"at": place, "byte": value})
        for place in (26, 41):
            self.refuse("BF-salt", "byte %d changed" % place, "authentication-failed", "backend", {"flip": place})
        self.refuse("BF-salt", "2 passes where it was made with 1", "authentication-failed", "phone", {"at": 21, "byte": 2})
        for place in (42, 73):
            self.refuse("BF-check", "byte %d changed" % place, "authentication-failed", "backend", {"flip": place})
        for place in (74, 97):
            self.refuse("BF-stream", "byte %d changed" % place, "damaged", "backend", {"flip": place})

    def chunks(self, key):
        whole = self.made["backend"][2]
        for place in (98, 99, 2000, len(whole) - 17, len(whole) - 1):
            self.refuse("BF-chunk", "byte %d changed" % place, "damaged", "backend", {"flip": place})
        size = b.CHUNK + b.OVERHEAD
        for place in (98 + size, 98 + 2 * size + 5):
            self.refuse("BF-chunk", "byte %d changed" % place, "damaged", "long", {"flip": place})
        for about, blocks in (("swapped", [1, 0, 2]), ("the first left out", [1, 2]), ("the second left out", [0, 2]), ("the first twice", [0, 0, 1, 2]), ("the last first", [2, 0, 1])):
            self.refuse("BF-order", about, "damaged", "long", {"blocks": blocks})
        for end in (98, 99, 114, 115, len(whole) - 1):
            self.refuse("BF-cut", "at byte %d" % end, "damaged", "backend", {"cut": end})
        for end in (98 + size, 98 + 2 * size, 98 + 2 * size + 17):
            self.refuse("BF-cut", "at byte %d" % end, "damaged", "long", {"cut": end})
        for about, more in (("a byte", b"\0"), ("17 bytes", bytes(17))):
            self.refuse("BF-behind", about + " more", "damaged", "phone", {"append": w.b64url(more)})
        plain = self.made["backend"][0]
        other = self.sealed(plain, key)[2]
        self.refuse("BF-other", "the chunk of another file under the same key file", "damaged", "backend", {"whole": w.b64url(whole[:98] + other[98:])})
        self.refuse("BF-other", "its salt and check with the stream of another", "damaged", "backend", {"whole": w.b64url(other[:74] + whole[74:])})
        self.remade("BF-final", "its only chunk is no last one", plain, key, tags=[b.MESSAGE])
        self.remade("BF-full", "a first chunk of 100 bytes", plain, key, lengths=[100, len(plain) - 100])
        self.remade("BF-behind", "a last chunk in the middle", plain, key, lengths=[100, len(plain) - 100], tags=[b.FINAL, b.FINAL])
        self.remade("BF-empty", "nothing but an empty chunk", b"", key, lengths=[0])

    def remade(self, rule, about, plain, key, expect="damaged", **more):
        self.refuse(rule, about, expect, "backend", {"whole": w.b64url(self.sealed(plain, key, **more)[2])})

    def plain_texts(self, key):
        """Flaws of somebody with the key."""
        parts = self.small()

        def bad(rule, about, at, *instead, count=1, expect="damaged"):
            self.remade(rule, about, joined(parts[:at] + list(instead) + parts[at + count:]), key, expect)

        self.remade_holds(joined(parts), key)
        row = parts.index("row")
        table = parts.index("table")
        bad("BF-form", "a form of 5", 4, Raw(b"\5\0\0\0\0"))
        bad("BF-form", "an integer of 4 bytes", 4, Raw(b"\3\0\0\0\4\0\0\0\1"))
        bad("BF-form", "none with a content", 6, Raw(b"\4\0\0\0\1\0"))
        bad("BF-part", "a length above 2^20", 6, Raw(b"\2\0\x10\0\1"))
        bad("BF-part", "an end in a part", len(parts) - 1, Raw(b"\3\0\0\0\x08\0"))
        bad("BF-part", "an end in a part's head", len(parts) - 1, Raw(b"\3\0\0"))
        bad("BF-text", "an access group that is not UTF-8", 3, Raw(b"\1\0\0\0\1\xff"))
        bad("BF-type", "a time as text", 4, "now")
        bad("BF-type", "defaults as text", 6, "{}")
        bad("BF-record", "another beginning", 0, "restore")
        bad("BF-record", "a record that is none", table, "column", count=1)
        bad("BF-record", "a part after the end", len(parts), None)
        bad("BF-record", "a row before any table", table, "row")
        bad("BF-role", "a role that is none", 1, "phone")
        bad("BF-newer", "schema 6", 5, r.SCHEMA + 1, expect="schema-from-the-future")
        bad("BF-older", "schema 4", 5, r.SCHEMA - 1, expect="refused")
        second = parts.index("table", table + 1)
        bad("BF-table", "the first table is missing", table, count=second - table)
        bad("BF-table", "the first table twice", table, *parts[table:second], count=0)
        bad("BF-table", "a table that does not enter", table + 1, "slot")
        bad("BF-table", "the end before the last table", last_table(parts), count=parts.index("end") - last_table(parts))
        bad("BF-column", "a column less", table + 2, 0)
        bad("BF-column", "a column of another name", table + 3, "made")
        bad("BF-row", "a service key that is none", row + 1, "spare")
        bad("BF-row", "null where it may not be", row + 2, None)
        bad("BF-class", "a class that is none", row + 3, "always")
        bad("BF-class", "a class of this device only", row + 3, "when-unlocked-this-device-only")
        bad("BF-class", "the integrity key", row + 3, "integrity")
        bad("BF-secret-part", "a secret without a class", row + 3, None)
        bad("BF-secret-part", "a class without a secret", row + 4, None)
        bad("BF-count", "a row more than there are", len(parts) - 1, parts[-1] + 1)
        held = self.held()
        self.remade("BF-device-only", "a row of held_epoch of this device only, its secret gone", joined(held), key)

    def small(self):
        """A store of one row."""
        parts = ["backup", "sealer", "0" * 32, "group.waxwing.default", NOW, r.SCHEMA, b"{}"]
        for name in b.TABLES:
            table = r.BY_NAME[name]
            parts += ["table", name, len(table.names), *table.names]
            if name == "service_key":
                parts += ["row", "idempotency", NOW, "after-first-unlock", bytes(range(32))]
        return parts + ["end", 1]

    def held(self):
        parts = self.small()
        at = parts.index("installed_bundle") - 1
        handle = w.b64url(bytes(12))
        parts[at:at] = [
            "row", handle + ".0", "chat-1", "dir", handle, 0, "after-first-unlock-this-device-only", "deactivated", NOW, 1, NOW, None, None]
        return parts[:-1] + [2]

    def remade_holds(self, plain, key):
        assert len(b.Reader(b.opened(self.sealed(plain, key)[2], **self.given(key))).read()) == 1

    @property
    def count(self):
        return len(self.files) + len(self.cases)

    def document(self):
        about = "Backup files; docs/spec/backup.md, section 8, says how this is read."
        head = w.compact({"format": "waxwing-backups/1", "about": about, "count": self.count})[:-1]
        lists = ("\"%s\":[\n%s\n]" % (n, ",\n".join(map(w.compact, v))) for n, v in (("files", self.files), ("cases", self.cases)))
        return ("%s,\n%s}\n" % (head, ",\n".join(lists))).encode("ascii")


def last_table(parts):
    return len(parts) - 1 - parts[::-1].index("table")


def changed(whole, change):
    if "whole" in change:
        return w.unb64url(change["whole"])
    if "cut" in change:
        return whole[:change["cut"]]
    if "append" in change:
        return whole + w.unb64url(change["append"])
    if "flip" in change:
        return whole[:change["flip"]] + bytes([whole[change["flip"]] ^ 1]) + whole[change["flip"] + 1:]
    if "byte" in change:
        return whole[:change["at"]] + bytes([change["byte"]]) + whole[change["at"] + 1:]
    if "blocks" in change:
        size = b.CHUNK + b.OVERHEAD
        blocks = [whole[at:at + size] for at in range(b.HEADER, len(whole), size)]
        return whole[:b.HEADER] + b"".join(blocks[i] for i in change["blocks"])
    return whole
