"""The vectors of the audit log: what make_vectors.py writes into audit.json (docs/spec/audit.md, section 11)."""

import copy
import json

import at_rest as r
import waxwing as w
from audit_log import blake2b, encode
from store_maker import NOW, Cases, StoreMaker, applied, edit_at, edited, json_document, whole, written_change


class Audit(Cases):
    def __init__(self, random):
        super().__init__("audit")
        self.random = random
        self.s = s = StoreMaker(random, "sealer", "key-file", {"key_file": random.take(32)})
        s.begin_log()
        self.heads = [s.chain.head]
        for operation, subject, kid, result, reason, token in (
            ("init", "store", None, "done", None, None), ("provision", "conversation chat-1", None, "done", None, None),
            ("lease", "conversation chat-1", "AAAAAAAAAAAAAAAA.0", "done", "64 seals from 0", "service"),
            ("ratchet", "conversation chat-1", "AAAAAAAAAAAAAAAA.0", "done", None, None), ("revoke", "conversation ch\u00e0t", None, "refused", "there is none", None),
            ("checkpoint", "audit log", None, "done", None, None),
        ):
            s.note(operation, subject, kid, result, reason, token)
            self.heads.append(s.chain.head)
        # As it is kept after four entries, to be put back.
        held, s.chain.key, number, head = s.chain.key, self.key_after(4), s.chain.number, s.chain.head
        s.chain.number, s.chain.head = 4, self.heads[4]
        s.end_log()
        self.older = copy.deepcopy(s.rows["audit_log"][0])
        s.chain.key, s.chain.number, s.chain.head = held, number, head
        s.end_log()
        other = StoreMaker(random, "sealer", "key-file", {"key_file": random.take(32)})
        other.begin_log()
        other.note("init", "store")
        self.other, self.stores = other, {"log": s}
        self.entries = number

    def key_after(self, number):
        key = self.s.start_key
        for _ in range(number):
            key = blake2b(encode("waxwing audit 1: next key"), key)
        return key

    def judge(self, rule, about, expect, changes=(), key=False, checkpoint=None):
        key = self.s.audit_key() if key is True else key or None
        try:
            found = r.Store(applied(self.s.rows, changes))
            found.unlock(self.s.unlock["key_file"])
            entries, fault = found.verify_log(key and key.encode(), checkpoint and checkpoint.encode())
            unchecked = [name for name, is_so in (("macs", not key), ("tail", not checkpoint), ("signer", checkpoint and not key)) if is_so]
            got = {"outcome": "does-not-hold", "entry": fault[0]} if fault else {"outcome": "holds", "entries": entries, "unchecked": unchecked}
        except r.Refused as refused:
            got = {"outcome": refused.outcome, "names": refused.names}
        case = {"store": "log"}
        for name, value in (("changes", [written_change(change) for change in changes]), ("key", key), ("checkpoint", checkpoint)):
            if value:
                case[name] = value
        self.take(rule, about, expect, got, **case)

    def holds(self, about, unchecked, **more):
        self.judge(None, about, {"outcome": "holds", "entries": more.pop("entries", self.entries), "unchecked": unchecked}, **more)

    def fails(self, rule, about, entry, changes=(), key=True, checkpoint=None):
        self.judge(rule, about, {"outcome": "does-not-hold", "entry": entry}, changes, key, checkpoint)

    def entry(self, number):
        return self.s.rows["audit_entry"][number - 1]

    def put(self, row, **changes):
        return {"table": "audit_entry", "row": row["id"], "set": dict(changes, sealed=self.s.resealed("audit_entry", row, **changes)["sealed"])}

    def log_row(self, secret=None, **changes):
        """The log's own row as somebody with today's keys would write it."""
        row = dict(self.s.rows["audit_log"][0], **changes)
        if secret:
            self.s.wrap_secret("audit_log", row, secret, ("after-first-unlock", 1))
        self.s.seal("audit_log", row)
        return whole("audit_log", row)

    def rewritten(self, number, key, **changes):
        """An entry and all that follow written anew, MACs by `key` of the number; and the log's row."""
        head, result = self.heads[number - 1], []
        for old in self.s.rows["audit_entry"][number - 1:]:
            row = dict(old, previous=head, **(changes if old is self.entry(number) else {}))
            encoded = encode("waxwing audit 1: entry", self.s.log, int(row["id"]), *(row[name] for name in r.FIELDS))
            row["mac"] = blake2b(encoded, key(int(row["id"])))
            head = blake2b(encoded + row["mac"])
            result.append(self.put(old, **{name: row[name] for name in ("previous", "mac", *changes)}))
        return result + [self.log_row(head=head)]

    def made(self, number, previous, key, **changes):
        """An entry more."""
        fields = dict(zip(r.FIELDS, (NOW, 0, 1, None, "unlock", "store", None, "done", None, previous)), **changes)
        mac = blake2b(encode("waxwing audit 1: entry", self.s.log, number, *fields.values()), key)
        row = {"id": "%016d" % number, "version": 1, **fields, "mac": mac, "sealed": b""}
        self.s.seal("audit_entry", row)
        return {"table": "audit_entry", "add": row}

    def make(self):
        s, count, last = self.s, self.entries, self.heads[-1]
        mark = s.checkpoint(count, last)
        self.holds("nothing but the store", ["macs", "tail"])
        self.holds("with the audit key", ["tail"], key=True)
        self.holds("with a checkpoint", ["macs", "signer"], checkpoint=mark)
        self.holds("with both", [], key=True, checkpoint=mark)
        self.holds("with a checkpoint of before", [], key=True, checkpoint=s.checkpoint(3, self.heads[3]))
        self.holds("with a checkpoint of the beginning", [], key=True, checkpoint=s.checkpoint(0, self.heads[0]))
        # What goes unseen, and with what it does not.
        older = [{"table": "audit_entry", "remove": self.entry(n).get("id")} for n in (5, 6)] + [whole("audit_log", self.older)]
        self.holds("an older log put back whole goes unseen without a checkpoint", ["tail"], key=True, changes=older, entries=4)
        self.fails("A-beyond", "an older log put back whole", 5, older, True, mark)
        today = self.rewritten(3, lambda _: s.chain.key, reason="nothing")
        self.holds("a log rewritten with today's keys goes unseen without the audit key", ["macs", "tail"], changes=today)
        self.fails("A-mac", "a log rewritten with today's keys", 3, today)
        self.fails("A-checkpoint", "a log rewritten with today's keys", count, today, None, mark)
        self.fails("A-checkpoint", "a log rewritten with the keys of its time", count, self.rewritten(3, lambda n: self.key_after(n - 1), reason="nothing"), True, mark)
        self.fails("A-checkpoint", "a checkpoint of another hash", 3, [], True, s.checkpoint(3, self.heads[2]))
        self.fails("A-mac", "the MAC of an entry alone", 4, self.rewritten(4, lambda n: self.key_after(n)))
        self.fails("A-mac", "an entry appended with today's key spent", 7, [self.made(7, last, bytes(32)), self.log_row(entries=7, head=bytes(32))])
        self.fails("A-beyond", "a checkpoint above the last entry", 7, [], True, s.checkpoint(9, last))
        self.fails("A-beyond", "a checkpoint of the largest number", 7, [], True, s.checkpoint((1 << 53) - 1, last))
        self.fails("A-log-row", "no row of the log", 1, [{"table": "audit_log", "remove": "log"}])
        self.fails("A-log-row", "the log's row edited", 1, [{"table": "audit_log", "row": "log", "set": {"entries": 5}}])
        self.fails("A-log-other", "the audit key of another log", 1, key=self.other.audit_key())
        self.fails("A-log-other", "a checkpoint that says another log", 1, checkpoint=self.signed_for("0" * 32))
        for number in (1, 4, 6):
            self.fails("A-missing", "entry %d is gone" % number, number, [{"table": "audit_entry", "remove": self.entry(number)["id"]}])
        self.fails("A-missing", "all are gone", 1, [{"table": "audit_entry", "remove": row["id"]} for row in s.rows["audit_entry"]])
        three, four = self.entry(3), self.entry(4)
        extra = dict(three, id=three["id"] + "x")
        self.fails("A-missing", "one more between two", 4, [{"table": "audit_entry", "add": extra}])
        swapped = [whole("audit_entry", dict(four, id=three["id"])), whole("audit_entry", dict(three, id=four["id"]))]
        self.fails("A-seal", "two that changed places", 3, swapped)
        self.fails("A-seal", "one in the place of another", 4, swapped[1:])
        for name, value in zip(three, three.values()):
            if name not in ("id", "version", "sealed"):
                self.fails("A-seal", "%s changed" % name, 3, [{"table": "audit_entry", "row": three["id"], "set": {name: edited(value) if value is not None else "A"}}])
        for name, value in (("operation", "open"), ("result", "failed"), ("previous", bytes(31)), ("mac", bytes(33)), ("kid", "x"), ("token", 5), ("subject", None)):
            self.fails("A-form", "%s of no form" % name, 3, [self.put(three, **{name: value})])
        self.fails("A-previous", "previous is another hash", 3, [self.put(three, previous=self.heads[1])])
        self.fails("A-previous", "an entry of another store's log", 3, [self.put(three, **{name: self.other.rows["audit_entry"][0][name] for name in r.FIELDS + ("mac",)})], None)
        self.fails("A-previous", "entries 3 and 4 in the other's place, sealed anew", 3, [self.put(three, **self.fields(four)), self.put(four, **self.fields(three))])
        self.fails("A-cut", "the last two are cut off", 5, [{"table": "audit_entry", "remove": self.entry(n)["id"]} for n in (5, 6)])
        self.fails("A-cut", "the log's row counts one more", 7, [self.log_row(entries=7)])
        self.fails("A-unknown", "an entry that follows, and the log's row does not know of", 7, [self.made(7, last, s.chain.key)])
        self.fails("A-unknown", "the log's row counts one less", 6, [self.log_row(entries=5)])
        self.fails("A-unknown", "the log's row has another head", 6, [self.log_row(head=bytes(32))])
        cut = [{"table": "audit_entry", "remove": self.entry(n)["id"]} for n in (5, 6)]
        self.fails("A-key", "cut, with a row of the log written for it", 5, cut + [self.log_row(entries=4, head=self.heads[4])])
        self.fails("A-key", "the key of before is kept still", 7, [self.log_row(self.key_after(count - 1))])
        self.fails("A-key", "the key is gone", 7, [self.log_row(**dict.fromkeys(r.SECRET))])
        self.documents(mark)
        return self

    @staticmethod
    def fields(row):
        return {name: row[name] for name in r.FIELDS + ("mac",)}

    def signed_for(self, log):
        s = self.s
        kept, s.log = s.log, log
        made = s.checkpoint(self.entries, self.heads[-1])
        s.log = kept
        return made

    def documents(self, mark):
        s, found = self.s, json.loads(mark)

        def bad(rule, about, checkpoint=None, key=True):
            self.judge(rule, about, {"outcome": "bad-input", "names": "checkpoint" if checkpoint else "audit key"}, key=key, checkpoint=checkpoint)

        flipped = w.b64url(edit_at(w.unb64url(found["signature"]), 5))
        for about, changes in (
            ("a bit of the signature", {"signature": flipped}), ("another number", {"number": self.entries - 1}), ("another hash", {"hash": w.b64url(self.heads[2])}),
            ("another time", {"at": NOW}), ("another log", {"log": self.other.log}),
        ):
            bad("A-signature", about, s.checkpoint(self.entries, self.heads[-1], **changes))
        bad("A-signature", "signed by another log's key", self.other.checkpoint(self.entries, self.heads[-1], log=s.log))
        texts = (("no JSON", "x"), ("an array", "[%s]" % mark), ("a member twice", mark[:-1] + ',"at":5}'), ("something after it", mark + "x"))
        for about, text in texts:
            bad("A-checkpoint-json", about, text)
        for about, changes in (("another format", {"format": "waxwing-audit-checkpoint/2"}), ("the format of a key", {"format": "waxwing-audit-key/1"})):
            bad("A-checkpoint-format", about, w.compact(dict(found, **changes)))
        for about, text in (("one more", dict(found, more=1)), ("one less", {n: v for n, v in found.items() if n != "at"}), ("another name", {("when" if n == "at" else n): v for n, v in found.items()})):
            bad("A-checkpoint-members", about, w.compact(text))
        for name, value in (("log", found["log"][:-2]), ("log", found["log"].upper().replace("0", "A")), ("hash", w.b64url(bytes(31))), ("signature", w.b64url(bytes(63)))):
            bad("A-checkpoint-length", "%s is not of its length" % name, w.compact(dict(found, **{name: value})))
        for name, value in (("number", w.Raw("1.0")), ("number", -1), ("number", "6"), ("number", w.Raw("9007199254740992")), ("at", w.Raw("9007199254740992")), ("at", w.Raw("1e9")), ("at", None)):
            bad("A-checkpoint-number", "%s is %s" % (name, w.compact(value)), w.compact(dict(found, **{name: value})))
        for name, value in (("hash", found["hash"] + "="), ("hash", None), ("signature", found["signature"][:-1] + "!")):
            bad("A-checkpoint-base64url", name, w.compact(dict(found, **{name: value})))
        key = json.loads(s.audit_key())
        text = s.audit_key()
        for about, given in (("no JSON", "x"), ("a member twice", text[:-1] + ',"log":"x"}'), ("an array", "[%s]" % text), ("something after it", text + "x")):
            bad("A-key-json", about, key=given)
        for about, changes in (("another format", {"format": "waxwing-audit-key/2"}), ("none", {"format": None})):
            bad("A-key-format", about, key=w.compact(dict(key, **changes)))
        for about, given in (("one more", dict(key, more=1)), ("one less", {n: v for n, v in key.items() if n != "log"})):
            bad("A-key-members", about, key=w.compact(given))
        for name, value in (("log", key["log"] + "00"), ("log", "g" + key["log"][1:]), ("start_key", w.b64url(bytes(31))), ("start_key", w.b64url(bytes(33))), ("checkpoint_key", w.b64url(bytes(31)))):
            bad("A-key-length", "%s is not of its length" % name, key=w.compact(dict(key, **{name: value})))
        for name, value in (("start_key", key["start_key"] + "="), ("checkpoint_key", 5)):
            bad("A-key-base64url", name, key=w.compact(dict(key, **{name: value})))

    def document(self):
        about = "An audit log and what was done to it; docs/spec/audit.md, section 11, says how this is read."
        return json_document("waxwing-audit/1", about, self)
