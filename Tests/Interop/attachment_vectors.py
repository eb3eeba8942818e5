"""The vectors of sealed attachments: what make_vectors.py writes into attachment.json.

Every expectation is written down beside the change it belongs to, then the second implementation has to come to the same.
"""

import hashlib

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

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
    if "sealed" in change:
        return w.unb64url(change["sealed"])
    if "cut" in change:
        sealed = sealed[:change["cut"]]
    if "append" in change:
        sealed += w.unb64url(change["append"])
    if "flip" in change:
        out = bytearray(sealed)
        out[change["flip"]] ^= 1
        sealed = bytes(out)
    if "byte" in change:
        sealed = bytes([change["byte"]]) + sealed[1:]
    if "blocks" in change:
        blocks = [sealed[at:at + a.BLOCK] for at in range(0, len(sealed), a.BLOCK)]
        sealed = b"".join(blocks[i] for i in change["blocks"])
    return sealed


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

    def refuse(self, rule, of, about, expect, change=None, key=None, sha256=None):
        name, own_key, sealed = of
        entry = {"id": "r-%02d" % (len(self.refusals) + 1), "rule": rule, "about": about, "file": name}
        if key:
            entry["key"] = w.b64url(key)
        if sha256:
            entry["sha256"] = w.b64url(sha256)
        if change:
            entry["change"] = change
        try:
            a.open_claimed(key or own_key, changed(sealed, change) if change else sealed, sha256)
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
        self.refuse("T-key", text, "another key", "not-authentic", key=self.random.take(32))
        self.refuse("T-key", long, "another key, several segments", "not-authentic", key=self.random.take(32))
        self.refuse("T-header", text, "another header length", "malformed", {"byte": 41})
        self.refuse("T-header", text, "the header length of a 16-byte key", "malformed", {"byte": 24})
        self.refuse("T-short", text, "nothing at all", "malformed", {"cut": 0})
        self.refuse("T-short", text, "the header alone", "malformed", {"cut": 40})
        self.refuse("T-short", empty, "a byte of the only tag cut off", "malformed", {"cut": 55})
        self.refuse("T-cut", text, "the text cut off, its tag in part", "not-authentic", {"cut": 56})
        self.refuse("T-cut", text, "a byte cut off", "not-authentic", {"cut": 60})
        for rule, at in (("T-salt", 1), ("T-salt", 32), ("T-prefix", 33), ("T-prefix", 39), ("T-ciphertext", 40), ("T-ciphertext", 44), ("T-tag", 45), ("T-tag", 60)):
            self.refuse(rule, text, "byte %d changed" % at, "not-authentic", {"flip": at})
        for rule, at in (("T-tag", a.BLOCK - 1), ("T-ciphertext", a.BLOCK), ("T-ciphertext", 2 * a.BLOCK), ("T-ciphertext", 3 * a.BLOCK + 1)):
            self.refuse(rule, long, "byte %d changed" % at, "not-authentic", {"flip": at})
        self.refuse("T-behind", text, "a byte added", "not-authentic", {"append": "AA"})
        self.refuse("T-behind", full, "a byte added behind a full segment", "not-authentic", {"append": "AA"})
        self.refuse("T-behind", full, "a tag added behind a full segment", "not-authentic", {"append": w.b64url(bytes(16))})
        for count in (1, 2, 3):
            self.refuse("T-cut", long, "cut behind segment %d" % count, "not-authentic", {"cut": count * a.BLOCK})
        self.refuse("T-cut", long, "cut a byte before the end of segment 3", "not-authentic", {"cut": 3 * a.BLOCK - 1})
        self.refuse("T-empty", long, "cut a byte behind segment 1", "malformed", {"cut": a.BLOCK + 1})
        self.refuse("T-empty", long, "cut 16 bytes behind segment 2", "malformed", {"cut": 2 * a.BLOCK + 16})
        for rule, about, blocks in (
            ("T-order", "segments 2 and 3 swapped", [0, 2, 1, 3]), ("T-order", "the last segment before its time", [0, 1, 3, 2]),
            ("T-left-out", "segment 2 left out", [0, 2, 3]), ("T-left-out", "segment 3 left out", [0, 1, 3]), ("T-twice", "segment 2 twice", [0, 1, 1, 2, 3]),
            ("T-twice", "the last segment twice", [0, 1, 2, 3, 3]), ("T-twice", "all of it twice", [0, 1, 2, 3, 0, 1, 2, 3]),
        ):
            self.refuse(rule, long, about, "not-authentic", {"blocks": blocks})
        self.refuse("T-header", long, "the beginning left out", "malformed", {"blocks": [1, 2, 3]})
        self.made_wrongly(text, made[FIRST + 1])
        self.refuse("T-hash", text, "another SHA-256 in the claim", "hash", sha256=bytes(32))
        self.refuse("T-hash", text, "the SHA-256 of another file", "hash", sha256=hashlib.sha256(long[2]).digest())
        self.nonces = [{"id": "n-01", "about": "the last index", "prefix": w.b64url(bytes(7)), "index": a.SEGMENTS - 1, "last": True}]
        self.nonces[0]["nonce"] = w.b64url(a.nonce(bytes(7), a.SEGMENTS - 1, True))
        try:
            a.nonce(bytes(7), a.SEGMENTS, True)
        except a.Refused as e:
            self.nonces.append({
                "id": "n-02", "rule": "T-too-long", "about": "one index more than four bytes hold", "prefix": w.b64url(bytes(7)), "index": a.SEGMENTS,
                "last": True, "expect": str(e)})
        return self

    def made_wrongly(self, text, two):
        """By somebody with the key, who does not keep to the format."""
        _, key, sealed = text
        salt, prefix, plain = sealed[1:33], sealed[33:40], a.made_up_text(5)

        def segment(salt, nonce, plain=plain):
            return w.b64url(sealed[:40] + AESGCM(a.segment_key(key, salt)).encrypt(nonce, plain, None))

        for rule, about, made in (
            ("T-last", "the last segment sealed as one before", segment(salt, a.nonce(prefix, 0, False))),
            ("T-last", "a last byte of 2", segment(salt, prefix + bytes(4) + b"\2")), ("T-index", "the only segment under index 1", segment(salt, a.nonce(prefix, 1, True))),
            ("T-other-file", "the segment of a file with another salt", segment(bytes(32), a.nonce(prefix, 0, True))),
            ("T-other-file", "the segment of a file with another prefix", segment(salt, a.nonce(bytes(7), 0, True))),
            ("T-key", "sealed with the claim's key itself", w.b64url(sealed[:40] + AESGCM(key).encrypt(a.nonce(prefix, 0, True), plain, None))),
        ):
            self.refuse(rule, text, about, "not-authentic", {"sealed": made})
        _, key, sealed = two
        tag = AESGCM(a.segment_key(key, sealed[1:33])).encrypt(a.nonce(sealed[33:40], 1, True), b"", None)
        self.refuse("T-empty", two, "an empty segment with a right tag behind a full one", "malformed", {"cut": a.BLOCK, "append": w.b64url(tag)})

    @property
    def count(self):
        return len(self.files) + len(self.refusals) + len(self.nonces)

    def document(self):
        about = "Sealed attachments; docs/spec/attachment.md, section 7, says how this is read."
        head = {"format": "waxwing-attachments/1", "about": about, "count": self.count}
        all_lists = (("files", self.files), ("refusals", self.refusals), ("nonces", self.nonces))
        lists = ("\"%s\":[\n%s\n]" % (n, ",\n".join(map(w.compact, v))) for n, v in all_lists)
        return ("%s,\n%s}\n" % (w.compact(head)[:-1], ",\n".join(lists))).encode("ascii")
