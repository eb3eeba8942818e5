"""The vectors of sealed attachments: what make_vectors.py writes into attachment.json.

Every expectation is written down beside the change it belongs to, then the second implementation has to come to the same.
"""

import hashlib

import attachment as a
import waxwing as w

FIRST, OTHER = a.BLOCK - a.HEADER - a.TAG, a.BLOCK - a.TAG
LENGTHS = (
    ("nothing", 0), ("one byte", 1), ("a text", 5), ("a byte less than a segment", FIRST - 1), ("one segment, full", FIRST),
    ("a byte more than a segment", FIRST + 1), ("two segments, the last with a byte to spare", FIRST + OTHER - 1),
    ("two segments, both full", FIRST + OTHER), ("three segments, the last of one byte", FIRST + OTHER + 1),
    ("four segments", FIRST + 2 * OTHER + 12345),
)


def changed(sealed, change):
    """The sealed file after one change, as docs/spec/attachment.md describes them."""
    if "cut" in change:
        return sealed[:change["cut"]]
    if "append" in change:
        return sealed + w.unb64url(change["append"])
    if "flip" in change:
        out = bytearray(sealed)
        out[change["flip"]] ^= 1
        return bytes(out)
    if "byte" in change:
        return bytes([change["byte"]]) + sealed[1:]
    blocks = [sealed[at:at + a.BLOCK] for at in range(0, len(sealed), a.BLOCK)]
    return b"".join(blocks[i] for i in change["blocks"])


class Maker:
    def __init__(self, random):
        self.random, self.files, self.refusals = random, [], []

    def file(self, name, length):
        key, salt, prefix = (self.random.take(n) for n in (32, 32, 7))
        plain = a.made_up_text(length)
        sealed = a.seal(key, salt, prefix, plain)
        assert a.open_sealed(key, sealed) == plain
        entry = {
            "id": "a-%02d" % (len(self.files) + 1), "about": name, "key": w.b64url(key), "salt": w.b64url(salt), "prefix": w.b64url(prefix),
            "bytes": length, "sealed_bytes": len(sealed), "sha256": w.b64url(hashlib.sha256(sealed).digest())}
        if len(sealed) < 100:
            entry["sealed"] = w.b64url(sealed)
        self.files.append(entry)
        return entry["id"], key, sealed

    def refuse(self, of, about, expect, change=None, key=None):
        name, own_key, sealed = of
        entry = {"id": "r-%02d" % (len(self.refusals) + 1), "about": about, "file": name}
        if key:
            entry["key"] = w.b64url(key)
        if change:
            entry["change"] = change
        try:
            a.open_sealed(key or own_key, changed(sealed, change) if change else sealed)
            got = "opened"
        except a.Refused as e:
            got = str(e)
        if got != expect:
            raise SystemExit("attachment %s (%s): %s, expected %s" % (entry["id"], about, got, expect))
        entry["expect"] = expect
        self.refusals.append(entry)

    def make(self):
        made = {length: self.file(name, length) for name, length in LENGTHS}
        empty, text, full, long = made[0], made[5], made[FIRST], made[FIRST + 2 * OTHER + 12345]
        self.refuse(text, "another key", "not-authentic", key=self.random.take(32))
        self.refuse(long, "another key, several segments", "not-authentic", key=self.random.take(32))
        self.refuse(text, "another header length", "malformed", {"byte": 41})
        self.refuse(text, "the header length of a 16-byte key", "malformed", {"byte": 24})
        self.refuse(text, "nothing at all", "malformed", {"cut": 0})
        self.refuse(text, "the header alone", "malformed", {"cut": 40})
        self.refuse(empty, "a byte of the only tag cut off", "malformed", {"cut": 55})
        self.refuse(text, "the text cut off, its tag in part", "not-authentic", {"cut": 56})
        self.refuse(text, "a byte cut off", "not-authentic", {"cut": 60})
        for at in (1, 32, 33, 39, 40, 44, 45, 60):
            self.refuse(text, "byte %d changed" % at, "not-authentic", {"flip": at})
        for at in (a.BLOCK - 1, a.BLOCK, 2 * a.BLOCK, 3 * a.BLOCK + 1):
            self.refuse(long, "byte %d changed" % at, "not-authentic", {"flip": at})
        self.refuse(text, "a byte added", "not-authentic", {"append": "AA"})
        self.refuse(full, "a byte added behind a full segment", "not-authentic", {"append": "AA"})
        self.refuse(full, "a tag added behind a full segment", "not-authentic", {"append": w.b64url(bytes(16))})
        for count in (1, 2, 3):
            self.refuse(long, "cut behind segment %d" % count, "not-authentic", {"cut": count * a.BLOCK})
        self.refuse(long, "cut a byte behind segment 1", "malformed", {"cut": a.BLOCK + 1})
        self.refuse(long, "cut a byte before the end of segment 3", "not-authentic", {"cut": 3 * a.BLOCK - 1})
        for about, blocks in (
            ("segments 2 and 3 swapped", [0, 2, 1, 3]), ("the last segment before its time", [0, 1, 3, 2]), ("segment 2 left out", [0, 2, 3]),
            ("segment 3 left out", [0, 1, 3]), ("segment 2 twice", [0, 1, 1, 2, 3]), ("the last segment twice", [0, 1, 2, 3, 3]),
            ("all of it twice", [0, 1, 2, 3, 0, 1, 2, 3]),
        ):
            self.refuse(long, about, "not-authentic", {"blocks": blocks})
        self.refuse(long, "the beginning left out", "malformed", {"blocks": [1, 2, 3]})
        return self

    def document(self):
        about = "Sealed attachments; docs/spec/attachment.md, section 7, says how this is read."
        head = {"format": "waxwing-attachments/1", "about": about, "count": len(self.files) + len(self.refusals)}
        lists = ("\"%s\":[\n%s\n]" % (n, ",\n".join(map(w.compact, v))) for n, v in (("files", self.files), ("refusals", self.refusals)))
        return ("%s,\n%s}\n" % (w.compact(head)[:-1], ",\n".join(lists))).encode("ascii")
