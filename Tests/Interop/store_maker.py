"""Made-up stores, written as docs/spec/at-rest.md says, and what the vectors of at-rest.json and audit.json have in common."""

import copy

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt, crypto_sign, crypto_sign_seed_keypair

import at_rest as r
import waxwing as w
from audit_log import Chain, blake2b, encode

NOW = 1900000000
WORK = (1, 8)


def wrap(random, plain, key, associated_data):
    nonce = random.take(24)
    return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, associated_data, nonce, key)


def written(value):
    """A value of a row in JSON."""
    if isinstance(value, r.IllFormed):
        return {"ill_formed": w.b64url(bytes(value))}
    if isinstance(value, bytes):
        return {"bytes": w.b64url(value)}
    if isinstance(value, float):
        return {"real": w.Raw(repr(value))}
    return value


def written_row(row):
    return {name: written(value) for name, value in row.items()}


class StoreMaker:
    """Writes rows as section 12 says."""

    def __init__(self, random, role, kind, unlock, versions=1):
        self.random, self.role, self.unlock = random, role, unlock
        self.identifier, self.rows = random.take(16).hex(), {table.name: [] for table in r.TABLES}
        self.keys, self.now = {}, NOW
        passphrase = unlock.get("passphrase")
        passes, memory = WORK if passphrase else (None, None)
        self.add(
            "store", self.identifier, role=role, access_group="group.waxwing.default", created=NOW,
            key_file="/etc/waxwing/key" if role == "sealer" else None, unix_group=None, owner=1000, defaults=b"{}", stopped=0, sealed=False)
        self.slot = self.add(
            "slot", random.take(16).hex(), kind=kind, salt=random.take(16), passes=passes, memory_mib=memory, created=NOW, sealed=False)
        self.kek = r.slot_key(self.slot, passphrase.encode()) if passphrase else unlock["key_file"]
        for name in r.NAMES:
            if name == r.CLASSES[4] and kind == "key-file-without-passcode":
                self.add_class_key(name, 1, b"")
                continue
            for version in range(1, 2 if name == "integrity" else versions + 1):
                key = self.keys[name, version] = random.take(32)
                self.add_class_key(name, version, self.class_key_wrap(key, name, version))
        for table in ("store", "slot", "class_key"):
            for row in self.rows[table]:
                self.seal(table, row)

    def class_key_wrap(self, key, name, version, kek=None, slot=None, store=None):
        context = r.class_key_context(store or self.identifier, slot or self.slot["id"], name, version)
        return wrap(self.random, key, kek or self.kek, context)

    def add_class_key(self, name, version, wrapped):
        self.add(
            "class_key", "%s/%s/%d" % (self.slot["id"], name, version), slot=self.slot["id"], name=name, key_version=version, wrap=wrapped,
            sealed=False)

    def add(self, table, identifier, secret=None, under=("after-first-unlock", 1), sealed=True, **values):
        row = {"id": identifier, "version": 1, **values}
        if r.BY_NAME[table].secret:
            row.update(dict.fromkeys(r.SECRET))
            if secret is not None:
                self.wrap_secret(table, row, secret, under)
        row["sealed"] = b""
        assert list(row) == r.BY_NAME[table].all_names, (table, list(row))
        if sealed:
            self.seal(table, row)
        self.rows[table] = sorted(self.rows[table] + [row], key=lambda other: other["id"].encode())
        return row

    def wrap_secret(self, table, row, secret, under, item_key=None):
        row["class_key"], row["class_key_version"] = under
        item_key = item_key or self.random.take(32)
        contexts = [r.secret_context(part, self.identifier, r.BY_NAME[table], row) for part in ("item key", "value")]
        row["item_key"] = wrap(self.random, item_key, self.keys[under], contexts[0])
        row["value"] = wrap(self.random, secret, item_key, contexts[1])

    def seal(self, table, row, store=None, key=None):
        context = r.row_context(store or self.identifier, r.BY_NAME[table], row)
        row["sealed"] = wrap(self.random, b"", key or self.keys["integrity", 1], context)

    def resealed(self, table, row, **changes):
        """The row as somebody with the integrity key would write it."""
        row = dict(row, **changes)
        self.seal(table, row)
        return row

    def update(self, table, identifier, secret=None, **changes):
        row = next(row for row in self.rows[table] if row["id"] == identifier)
        row.update(changes, version=row["version"] + 1)
        if secret is not None:
            self.wrap_secret(table, row, secret, (row["class_key"], row["class_key_version"]))
        self.seal(table, row)

    # The audit log.

    def begin_log(self):
        seed, self.start_key, self.log = self.random.take(32), self.random.take(32), self.random.take(16).hex()
        self.public, self.signer = crypto_sign_seed_keypair(seed)
        self.chain = Chain(self.log, self.public, self.start_key)
        self.add(
            "audit_log", "log", self.start_key, log=self.log, created=NOW, checkpoint_key=self.public, entries=0, head=self.chain.head)
        self.add("service_key", "checkpoint", seed, created=NOW)

    def note(self, operation, subject, kid=None, result="done", reason=None, token=None):
        number = self.chain.number + 1
        fields = [self.now + number, 1000, 4242, token, operation, subject, kid, result, reason, self.chain.head]
        mac = blake2b(encode("waxwing audit 1: entry", self.log, number, *fields), self.chain.key)
        self.add("audit_entry", "%016d" % number, **dict(zip(r.FIELDS, fields)), mac=mac)
        assert self.chain.take("%016d" % number, mac, fields) is None

    def end_log(self):
        self.update("audit_log", "log", self.chain.key, entries=self.chain.number, head=self.chain.head)

    def audit_key(self):
        return w.compact({
            "format": "waxwing-audit-key/1", "log": self.log, "start_key": w.b64url(self.start_key), "checkpoint_key": w.b64url(self.public)})

    def checkpoint(self, last, head, **changes):
        made = {"log": self.log, "number": last, "hash": head, "at": NOW + 100}
        signature = crypto_sign(encode("waxwing audit 1: checkpoint", *made.values()), self.signer)[:64]
        found = {"format": "waxwing-audit-checkpoint/1", **made, "hash": w.b64url(head), "signature": w.b64url(signature)}
        return w.compact({name: value for name, value in dict(found, **changes).items() if value is not ...})

    # The digest.

    def digest(self, key):
        """Brings the digest up to date: shards whose rows changed, and the root."""
        totals = {}
        for table in self.rows:
            for row in self.rows[table] if table != "digest" else ():
                self.count(totals, key, table, row, r.shard_of(table, row["id"]))
        kept = {row["id"]: row for row in self.rows["digest"]}
        for shard, (count, total) in sorted(totals.items()):
            if shard in kept and kept[shard]["count"] == count and self.sum_of(kept[shard]) == total:
                continue
            self.write_sum(shard, count, total.to_bytes(32, "big"), kept.get(shard))
        for row in self.rows["digest"]:
            if row["id"] != "root":
                self.count(totals, key, "digest", row, "root")
        count, total = totals["root"]
        self.write_sum("root", count, total.to_bytes(32, "big") + key, kept.get("root"))

    def count(self, totals, key, table, row, shard):
        count, total = totals.get(shard, (0, 0))
        totals[shard] = count + 1, (total + r.element(key, self.identifier, table, row["id"], row["sealed"])) % (1 << 256)

    def sum_of(self, row):
        opened = r.unwrap(row["sum"], self.keys["integrity", 1], r.sum_context(self.identifier, row["id"]))
        return int.from_bytes(opened[:32], "big")

    def write_sum(self, name, count, content, kept):
        wrapped = self.sum(name, content)
        if kept:
            self.update("digest", name, count=count, sum=wrapped)
        else:
            self.add("digest", name, count=count, sum=wrapped)

    def sum(self, name, content, key=None):
        return wrap(self.random, content, key or self.keys["integrity", 1], r.sum_context(self.identifier, name))

    def read(self, rows=None):
        store = r.Store(copy.deepcopy(rows or self.rows))
        store.unlock(self.unlock.get("key_file"), self.unlock.get("passphrase", "").encode() or None)
        return store

    def document(self):
        unlock = {name: w.b64url(value) if isinstance(value, bytes) else value for name, value in self.unlock.items()}
        document = {"unlock": unlock}
        # One that is there for its log alone has no digest.
        if self.rows["digest"]:
            store = self.read()
            rows = store.verify()
            secrets = {"%s/%s" % place: w.b64url(value) for place, value in store.secrets.items()}
            document["expect"] = {"outcome": "holds", "rows": rows, "secrets": secrets}
        return {
            **document,
            "tables": {name: [written_row(row) for row in rows] for name, rows in self.rows.items() if rows}}


def phone_key(random):
    scalar = (1 + int.from_bytes(random.take(32), "big") % (w.P256_ORDER - 1)).to_bytes(32, "big")
    point = w.point_of(w.private_key(scalar))
    return scalar, point, w.thumbprint(w.public_jwk(point))


def sealer_store(random):
    """A backend's store in every table, its class keys being replaced; and each row's version from before the last change."""
    s = StoreMaker(random, "sealer", "key-file", {"key_file": random.take(32)}, versions=2)
    newest = ("after-first-unlock", 2)
    s.add("service_key", "idempotency", random.take(32), created=NOW)
    s.begin_log()
    s.note("init", "store")
    phones, enrollments = sorted((phone_key(random) for _ in range(2)), key=lambda phone: phone[2]), {}
    handles = [w.b64url(random.take(12)) for _ in range(4)]
    for number, (_, point, name) in enumerate(phones):
        enrollments[name] = random.take(32)
        s.add(
            "device", name, enrollments[name], newest if number else newest[:1] + (1,), name="phone %d" % number, public_key=point, enrolled=NOW,
            removing=0)
        s.add("sequence", name, last=NOW + number)
        s.note("device-enroll", "device " + name)
    s.add("sequence", "floor", last=NOW << 20)
    s.add("replacement", w.b64url(random.take(32)), successor=phones[0][2])
    s.add("replacement", w.b64url(random.take(32)), successor=phones[1][2])
    for number, (name, algorithm) in enumerate((("chat-1", "dir"), ("chat-2", "HPKE-7"), ("legacy", "split"))):
        s.add(
            "conversation", name, algorithm=algorithm, accessible="after-first-unlock-this-device-only", created=NOW,
            until=NOW + 86400 if algorithm == "split" else None, maximum_age=2592000)
        secret = random.take(32)
        s.add(
            "conversation_secret", handles[number], secret, newest if number else newest[:1] + (1,), conversation=name, algorithm=algorithm,
            state="active", epoch=number, created=NOW, activated=NOW, epoch_started=NOW, deactivated=None,
            open_until=NOW + 86400 if algorithm == "split" else None, promote_at=None, leased=128 * number,
            name="split:" + random.take(4).hex() if algorithm == "split" else None)
        s.note("provision", "conversation " + name, kid="%s.%d" % (handles[number], number))
        if algorithm == "split":
            continue
        device = phones[number]
        s.add(
            "member", "%s/%s" % (device[2], name), conversation=name, device=device[2], added=NOW,
            acknowledged=None if number else "%s.0" % handles[0])
        content = w.seal_bundle({
            "device": w.public_jwk(device[1]), "enrollment_secret": w.b64url(enrollments[device[2]]), "sub": name, "jwe_alg": algorithm,
            "kid": "%s.%d" % (handles[number], number), "k": w.b64url(secret), "seq": NOW + number, "iat": NOW, "exp": NOW + 2592000,
            "accessible": "after-first-unlock-this-device-only", "ephemeral": w.b64url(phone_key(random)[0])})
        s.add(
            "bundle", "%s/%016d" % (device[2], NOW + number), device=device[2], sequence=NOW + number, conversation=name, handle=handles[number],
            epoch=number, issued=NOW, expires=NOW + 2592000, state="pending" if number else "acknowledged",
            content=content.encode() if number else None)
        s.add("handle_use", handles[number], last_use=NOW if number else None)
    # One that has ended: its bytes are gone, its row stays.
    s.add(
        "conversation_secret", handles[3], conversation="chat-2", algorithm="HPKE-7", state="destroyed", epoch=0, created=NOW - 9,
        activated=NOW - 9, epoch_started=NOW - 9, deactivated=NOW - 5, open_until=NOW - 5 + 35 * 86400, promote_at=None, leased=64, name=None)
    for first in (0, 64):
        s.add("lease", "%s.1/%010d" % (handles[1], first), kid=handles[1] + ".1", first=first, count=64, granted_at=NOW, uid=1000, pid=4242)
    s.add("rotation_run", "ratchet", run=random.take(16).hex(), older_than=86400, promote_after=None, started=NOW, last_conversation="chat-1")
    s.add("rotation_run", "rekey", run=random.take(16).hex(), older_than=None, promote_after=604800, started=NOW, last_conversation=None)
    s.add(
        "anchor", "anchor", random.take(32), ("integrity", 1), path="/mnt/other/anchor", number=1, mark=random.take(32), former_mark=random.take(32))
    s.end_log()
    key = random.take(32)
    s.digest(key)
    former = copy.deepcopy(s.rows)
    # A transaction more, so that there is an older whole row of several tables.
    row = next(row for row in s.rows["conversation_secret"] if row["item_key"])
    s.update("member", s.rows["member"][-1]["id"], acknowledged="%s.1" % handles[1])
    s.update("conversation_secret", row["id"], random.take(32), leased=row["leased"] + 64)
    s.update("anchor", "anchor", number=2, former_mark=s.rows["anchor"][0]["mark"], mark=random.take(32))
    s.note("bundle-acknowledge", "device " + phones[1][2], kid=handles[1] + ".1")
    s.note("lease", "conversation chat-2", kid=handles[1] + ".1", reason="64 seals from 128", token="service")
    s.end_log()
    s.digest(key)
    return s, former, key


def phone_store(random):
    """A phone's store under a passphrase."""
    s = StoreMaker(random, "device", "passphrase", {"passphrase": "correct horse"})
    scalar, point, name = phone_key(random)
    s.begin_log()
    s.note("init", "store")
    here = ("after-first-unlock-this-device-only", 1)
    for part, secret in (("device-key", scalar), ("enrollment-secret", random.take(32))):
        s.add("identity", part, secret, here, thumbprint=name, name="phone", public_key=point, created=NOW)
    s.add("device_state", "device", last_sequence=NOW + 1, next_order=3, replay_floor=None, split_allowed=1)
    for number, (accessible, end) in enumerate((("when-unlocked", None), (here[0], None), (here[0], NOW - 1))):
        handle = w.b64url(random.take(12))
        s.add(
            "held_epoch", "%s.%d" % (handle, number), None if end else random.take(32), (accessible, 1), conversation="chat-%d" % (number + 1),
            algorithm="dir", handle=handle, epoch=number, accessible=accessible, state="deactivated" if end else "active", open_until=end,
            install_order=number + 1, added=NOW)
        s.note("epoch-keep", "conversation chat-%d" % (number + 1), kid="%s.%d" % (handle, number))
    for number in (0, 1):
        s.add("installed_bundle", random.take(32).hex(), sequence=NOW + number, installed=NOW)
        s.add("replay", "%s/chat-1" % random.take(16).hex(), conversation="chat-1", until=NOW + 60 + number)
        s.add("split_key", "split:" + random.take(4).hex(), random.take(32), here, conversation="legacy", state="active", until=NOW + 86400, install_order=number + 1)
        item = {"service": "mail", "account": "\u00e5nna %d" % number}
        s.add(
            "item", r.item_name(item), random.text(11).encode()[:11], ("when-passcode-set-this-device-only" if number else "when-unlocked", 1), **item,
            label="", created=NOW, modified=NOW + number)
    s.end_log()
    s.digest(random.take(32))
    return s


def bare_store(random):
    """A phone's store whose passcode was removed: one class key is gone, and its number stays."""
    s = StoreMaker(random, "device", "key-file-without-passcode", {"key_file": random.take(32)})
    s.add("device_state", "device", last_sequence=0, next_order=1, replay_floor=None, split_allowed=0)
    s.begin_log()
    s.note("init", "store")
    s.end_log()
    s.digest(random.take(32))
    return s


def edited(value):
    """Another value of the same form."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "A"
    return value[:-1] + bytes([value[-1] ^ 1]) if value else b"\0"


def applied(rows, changes):
    rows = copy.deepcopy(rows)
    for change in changes:
        table = rows[change["table"]]
        if "add" in change:
            table.append(change["add"])
        elif "remove" in change:
            table[:] = [row for row in table if row["id"] != change["remove"]]
        else:
            next(row for row in table if row["id"] == change["row"]).update(change["set"])
        table.sort(key=lambda row: row["id"].encode() if isinstance(row["id"], str) else b"")
    return rows


def written_change(change):
    names = {"set": written_row, "add": written_row}
    return {name: names.get(name, lambda value: value)(value) for name, value in change.items()}


def edit_at(data, place):
    data = bytearray(data)
    data[place] ^= 1
    return bytes(data)


def whole(table, row):
    """A change that puts a whole row in the place of the one of its name."""
    return {"table": table, "row": row["id"], "set": {name: value for name, value in row.items() if name != "id"}}


class Cases:
    """Collects cases, each judged by the reader before it is taken."""

    def __init__(self, prefix):
        self.prefix, self.list, self.stores = prefix, [], {}

    def take(self, rule, about, expect, got, **case):
        if got != expect:
            raise SystemExit("%s (%s): %s, expected %s" % (rule, about, got, expect))
        name = {"id": "%s-%03d" % (self.prefix, len(self.list) + 1)}
        self.list.append({**name, **({"rule": rule} if rule else {}), "about": about, **case, "expect": expect})

    @property
    def count(self):
        return len(self.list)


def json_document(form, about, cases):
    """A row and a case a line, so that a difference can be read."""
    stores = []
    for name, store in cases.stores.items():
        document = store.document()
        tables = [
            "%s:[\n%s]" % (w.compact(table), ",\n".join(w.compact(row) for row in rows)) for table, rows in document.pop("tables").items()]
        stores.append("%s:%s,\"tables\":{\n%s}}" % (w.compact(name), w.compact(document)[:-1], ",\n".join(tables)))
    head = w.compact({"format": form, "about": about, "count": cases.count})[:-1]
    text = "%s,\n\"stores\":{\n%s},\n\"cases\":[\n%s\n]}\n" % (head, ",\n".join(stores), ",\n".join(map(w.compact, cases.list)))
    return text.encode("utf-8")
