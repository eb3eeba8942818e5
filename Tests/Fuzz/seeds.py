#!/usr/bin/env python3
"""Make what the fuzzers begin with: seeds.py FOLDER

Writes into FOLDER, out of the committed vectors and fixtures: rings.json, the devices that inputs are offered to; NAME/, the seeds of
each fuzzer; NAME.dict, words for libFuzzer. How the bytes of an input are meant stands at each fuzzer, in Tests/Fuzz/Fuzz/Fuzzers/.
"""

import glob
import hashlib
import os
import sqlite3
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Interop"))

import base64  # noqa: E402

import attachment  # noqa: E402
import opener  # noqa: E402
import waxwing as w  # noqa: E402

NOW = 1900000000
# Longer ones cost much and show nothing that shorter ones do not, but for what is too large.
LONG = 1600
# As the tables stand in Sources/KeyStore/Storage/Table.swift.
TABLES = (
    "store slot class_key digest anchor service_key audit_log audit_entry device sequence conversation conversation_secret lease member "
    "bundle handle_use rotation_run replacement identity device_state held_epoch installed_bundle replay split_key item").split()
FRAME = ("id", "version", "class_key", "class_key_version", "item_key", "value", "sealed")

JSON_WORDS = ['{', '}', '[', ']', ',', ':', '"', 'true', 'false', 'null', '\\u0000', '\\ud83c', '\\udf5b', '\\"', '\\\\', '\\n', '1e9', '-0', '[[[[[[[[', ']]]]]]]]']
CLAIM_WORDS = ['"%s":' % n for n in w.CLAIM_ORDER + ("nbf", "url", "sha256", "key", "args")] + ['"https://a"', '"river-7"', '1900000000', '9007199254740991', '{"key":"a","args":{}}']
HEADER_WORDS = ['"alg":', '"enc":', '"kid":', '"typ":', '"psk_id":', '"zip":', '"crit":', '"dir"', '"A256GCM"', '"HPKE-7"', '"wax1"', '"wax1-key"', '\u212a']
JWK_WORDS = ['"%s":' % n for n in w.JWK_ORDER] + ['"oct"', '"enc"', '"dir"', '"HPKE-7"'] + ['"%s"' % c for c in w.CLASSES]
ENROLLMENT_WORDS = ['"jwk":', '"kty":"EC"', '"crv":"P-256"', '"x":', '"y":', '"d":', '"use":"enc"', '"alg":"HPKE-7"', '"kid":', '"enrollment_secret":', '"name":']
TEMPLATE_WORDS = ['{{', '}}', '{name}', '{count}', '"zero":', '"one":', '"two":', '"few":', '"many":', '"other":', '\u2067', '\u2069', '\u05d0', 'count=', '1.50']
ROW_WORDS = ['active', 'pre-activation', 'deactivated', 'HPKE-7', 'HP\u212aE-7', 'dir', 'split', 'after-first-unlock', 'pending', 'sealer', 'device', '\ufffd', '/']

TEMPLATES = (
    b'{"hello":"Hello {name}","files":{"one":"{count} file of {name}","other":"{count} files of {name}"},"braces":"{{a}} }}{{"}',
    '{"a":{"zero":"0","one":"1","two":"2","few":"3","many":"4","other":"{count}"},"b":"\u05e9\u05dc\u05d5\u05dd {name}, {name}"}'.encode(),
    b'{"a":"{x.y_z-1}"}', b'{"a":""}', b'{"a":"{"}', b'{"a":{"one":"1"}}', b'{"a":{"other":1}}', b'{"":"a"}', b'{"\\u0001":"a"}', b'[]', b'{}',
)
ARGUMENTS = (b"name=Anna\ncount=1", b"count=1.50\nname=\xd7\x90\xe2\x81\xa9", b"x.y_z-1={name}\n", b"count=-1000000000000000000", b"")
NUMBERS = b'[0,-0,1,1.0,1.5e+10,-1E-2,9007199254740991,9007199254740992,123456789012345678901234567890,true,false,null,"",{},[]]'


class Corpus:
    def __init__(self, folder, name, words):
        self.folder, self.seen = os.path.join(folder, name), set()
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(folder, name + ".dict"), "w", encoding="ascii") as f:
            for word in words:
                f.write('"%s"\n' % "".join("\\x%02x" % b for b in word.encode("utf-8")))

    def add(self, *parts):
        seed = b"".join(parts)
        name = hashlib.sha256(seed).hexdigest()[:24]
        if name not in self.seen:
            self.seen.add(name)
            with open(os.path.join(self.folder, name), "wb") as f:
                f.write(seed)

    def finish(self):
        """Takes away what is no seed any more. The others were never gone, for whoever is reading them."""
        for name in set(os.listdir(self.folder)) - self.seen:
            os.remove(os.path.join(self.folder, name))


def read(name):
    with open(os.path.join(ROOT, "Tests", "Vectors", name + ".json"), encoding="utf-8") as f:
        return w.load(f.read())


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def circumstances(env, split=False, form=0):
    """The first byte of an input, for the environment of a case."""
    lock = {"unlocked": 0, "locked": 2, "before-first-unlock": 3}[env.get("lock", "unlocked")]
    times = {86401: 2, 2678400: 3}
    return bytes([lock | (4 if split else 0) | times.get(env.get("now", NOW) - NOW, 0) << 3 | form << 5])


class Plaintexts:
    """What the second implementation reads as JSON while it opens something; the last of it is what was sealed."""

    def __enter__(self):
        self.seen, self.strict = [], opener.strict_json
        opener.strict_json = lambda data: self.seen.append(bytes(data)) or self.strict(data)
        return self.seen

    def __exit__(self, *_):
        opener.strict_json = self.strict


def offers(documents):
    """(step, environment, ring, plaintexts read) of every payload and bundle that a case offers, those of earlier steps too."""
    for doc in documents:
        for case in doc["cases"]:
            ring = doc.get("rings", {}).get(case.get("ring"))
            if ring is None:
                continue
            device = opener.Device(ring)
            for step in case.get("before", []) + [case]:
                with Plaintexts() as seen:
                    if "bundle" in step:
                        device.accept(step["bundle"], step["env"])
                    else:
                        device.open(base64.b64decode(step["payload_b64"]), step["env"])
                yield step, ring, seen


def sealed_text(payload):
    try:
        value = opener.strict_json(payload)
        return value["encrypted_payload"].encode("utf-8")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def integer(value):
    count = (value.bit_length() + 8) // 8
    return bytes([count]) + value.to_bytes(count, "little", signed=True)


def blob(data):
    data = data[:255]
    return bytes([len(data)]) + data


def cell(value):
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + integer(value)
    return b"\2" + blob(value.encode("utf-8")) if isinstance(value, str) else b"\3" + blob(value)


def rows():
    """(table, row as a dictionary) of the stores that are kept as fixtures, with the migrations since."""
    for path in sorted(glob.glob(os.path.join(ROOT, "Tests", "Fixtures", "schema-1", "*.sql"))):
        database = sqlite3.connect(":memory:")
        database.row_factory = sqlite3.Row
        with open(path, encoding="utf-8") as f:
            database.executescript(f.read())
        for migration in sorted(glob.glob(os.path.join(ROOT, "migrations", "sqlite", "*.sql")))[1:]:
            with open(migration, encoding="utf-8") as f:
                database.executescript(f.read())
        for table in TABLES:
            for row in database.execute("SELECT * FROM %s" % table):
                yield table, dict(row)


def row_seed(table, row):
    seed = bytes([TABLES.index(table)]) + blob(row["id"].encode("utf-8")) + integer(row["version"])
    seed += b"".join(cell(value) for name, value in row.items() if name not in FRAME)
    return seed + (b"\1" + blob(bytes(range(32))) if "item_key" in row else b"")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    words = JSON_WORDS + CLAIM_WORDS
    corpora = {
        "payload": words + ['"encrypted_payload":"', "\x01", '"ciphertext":', '"nonce":', '"tag":'], "json": JSON_WORDS + ['"k":'], "jwe": words + HEADER_WORDS,
        "base64url": ["-", "_", "+", "/", "=", "AAAA"], "claims": words, "bundle": JSON_WORDS + HEADER_WORDS + JWK_WORDS,
        "enrollment": JSON_WORDS + ENROLLMENT_WORDS, "templates": JSON_WORDS + TEMPLATE_WORDS, "attachment": ["\x28"], "rows": ROW_WORDS,
    }
    c = {name: Corpus(folder, name, words) for name, words in corpora.items()}
    documents = [read(name) for name in ("open-positive", "open-negative", "sequence", "bundle")]
    rings = documents[0]["rings"]
    bundles = documents[3]["rings"]["bundles"]
    write(folder, "rings.json", w.compact({
        "messages": dict(rings["main"], split_keys=rings["split-two"]["split_keys"]), "bundles": bundles}))

    for step, ring, plaintexts in offers(documents):
        env = step["env"]
        for text in plaintexts:
            c["json"].add(text[:len(text.rstrip(b" ")) + 1])
        if "bundle" in step:
            text = step["bundle"].encode("utf-8")
            c["bundle"].add(circumstances(env), text)
            if len(plaintexts) == 2:
                c["bundle"].add(circumstances(env, form=1), plaintexts[1])
                c["bundle"].add(circumstances(env, form=2), plaintexts[0], b"\0", plaintexts[1])
            continue
        payload = base64.b64decode(step["payload_b64"])
        if LONG < len(payload) <= 4096:
            continue
        c["payload"].add(circumstances(env, ring.get("allow_split")), payload)
        text = sealed_text(payload)
        if text is None:
            continue
        c["jwe"].add(circumstances(env), text)
        for part in text.split(b"."):
            c["base64url"].add(part[:200])
        if len(plaintexts) == 3:
            header, claims = plaintexts[1].rstrip(), plaintexts[2]
            mine = claims.replace(b'"sub":"' + ring["keys"][0]["sub"].encode(), b'"sub":"river-7')
            c["claims"].add(mine.rstrip(b" "))
            form = 2 if b"HPKE" in header else 1
            c["jwe"].add(circumstances(env, form=form), header, b"\0", mine.rstrip(b" "))
            c["payload"].add(circumstances(env, form=form & 1 ^ 1), payload.replace(text, b"\1"), b"\0", mine.rstrip(b" "))

    for case in read("seal")["cases"]:
        if "claims" in case.get("seal", {}) and isinstance(case["seal"]["claims"], dict):
            c["claims"].add(w.compact(dict(case["seal"]["claims"], sub="river-7")).encode("utf-8", "replace"))
    c["json"].add(NUMBERS)
    # What takes most memory for its length.
    c["json"].add(b"[" + b",".join([b"0"] * 2000) + b"]")
    c["json"].add(b"[" + b",".join([b"[]"] * 1300) + b"]")
    c["json"].add(b"{" + b",".join(b'"%d":0' % n for n in range(500)) + b"}")
    c["json"].add(b'{"k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","a":' + b"[" * 15 + b"]" * 15 + b"}")

    device = bundles["device"]
    public = {name: value for name, value in device["jwk"].items() if name != "d"}
    for more in ({}, {"use": "enc"}, {"kid": "x"}, {"d": device["jwk"]["d"]}):
        for document in ({"jwk": dict(public, **more), "enrollment_secret": device["enrollment_secret"], "name": "Anna's \u260e"},):
            c["enrollment"].add(w.compact(document).encode("utf-8"))
    for number, template in enumerate(TEMPLATES):
        for arguments in ARGUMENTS:
            c["templates"].add(bytes([number]), arguments, b"\0", template)

    for form in (1, 2, 3, 4, 121, 122, 123, 124, 125, 129):
        c["attachment"].add(bytes([form, 0, 0]))
        for kind in range(8):
            c["attachment"].add(bytes([form, 2]), integer(100) + integer(65536), bytes([1, kind]) + integer(65535) + b"\1", b"x" * 40)
    for file in read("attachment")["files"]:
        if "sealed" in file:
            c["attachment"].add(b"\0\0", w.unb64url(file["sealed"]))
    c["attachment"].add(b"\0\0", attachment.seal(b"\5" * 32, bytes(32), bytes(7), b"a text"))

    counts = {}
    for table, row in rows():
        # What Swift's == takes for the same: the Kelvin sign for a K.
        for name, value in row.items():
            if isinstance(value, str) and "K" in value:
                c["rows"].add(b"\0", row_seed(table, dict(row, **{name: value.replace("K", "\u212a")})), b"\0")
        counts[table] = counts.get(table, 0) + 1
        if counts[table] <= 3:
            for tail in (b"\0", b"\1\0\1\1", b"\1\5\0\0", b"\1\7\0\0", b"\0\1\3\2\1\0\xff\0"):
                for flag in (0, 1):
                    c["rows"].add(bytes([flag]), row_seed(table, row), tail)
    for name, corpus in sorted(c.items()):
        corpus.finish()
        print("%s: %d" % (name, len(corpus.seen)))


if __name__ == "__main__":
    main()
