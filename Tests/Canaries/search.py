"""Finds secrets in bytes: whole or any 12 bytes of them; as they are, in hexadecimal or decimal digits, base64, base64url, escaped.

Instead of encoding each secret in each way, at each alignment, what looks encoded in the data is decoded, twice over if need be,
and windows of the secrets are looked for in the result.
"""

import binascii
import json
import re

SHORTEST = 12
WINDOW = 8
# Hexadecimal digits, with what people and debuggers put between them.
HEXADECIMAL = re.compile(rb"[0-9A-Fa-fx\\ \t\n:,<>\[\]{}-]{24,}")
NO_DIGIT = re.compile(rb"0x|\\x|[^0-9A-Fa-f]")
# As Swift prints an array of bytes, or dumps one.
DECIMAL = re.compile(rb"\d{1,3}(?:[\s,-]{1,8}\d{1,3}){11,}")
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}")
TO_BASE64 = bytes.maketrans(b"-_", b"+/")


class Secret:
    """One thing that must not be seen, with its name for reports. Its bytes never are in a report."""

    def __init__(self, kind, name, content, is_text=False):
        self.kind, self.name, self.content = kind, name, content
        self.forms = [("raw", content)]
        if is_text:
            text = content.decode("utf-8")
            others = [
                ("JSON", json.dumps(text, ensure_ascii=False)[1:-1].replace("/", "\\/").encode("utf-8")),
                ("JSON, escaped", json.dumps(text)[1:-1].encode("ascii")),
                ("JSON, escaped in capitals", re.sub(
                    r"\\u[0-9a-f]{4}", lambda m: "\\u" + m[0][2:].upper(), json.dumps(text)[1:-1]).encode("ascii")),
                ("Swift", swift_escaped(text).encode("ascii")),
                ("UTF-16", text.encode("utf-16-le")),
                ("UTF-16, swapped", text.encode("utf-16-be")),
            ]
            for name, form in others:
                if form not in [known for _, known in self.forms]:
                    self.forms.append((name, form))
        if any(len(form) < SHORTEST for _, form in self.forms):
            raise ValueError("%s is too short to be told from chance" % name)

    def __repr__(self):
        return "Secret(%s)" % self.name


def swift_escaped(text):
    """As `debugDescription` spells what is not ASCII."""
    return "".join(c if 0x20 <= ord(c) < 0x7F else "\\u{%X}" % ord(c) for c in text)


class Finding:
    """That some bytes of a secret are there."""

    def __init__(self, secret, encoding, offset, length):
        self.secret, self.encoding, self.offset, self.length = secret, encoding, offset, length


class Search:
    """Looks for all of the secrets at once."""

    def __init__(self, secrets):
        self.windows = {}
        for secret in secrets:
            for name, form in secret.forms:
                for start in range(len(form) - WINDOW + 1):
                    key = int.from_bytes(form[start:start + WINDOW], "little")
                    self.windows.setdefault(key, []).append((secret, name, form, start))
        self.keys = frozenset(self.windows)

    def find(self, data):
        """All findings, one for each secret and encoding and place."""
        found = {}
        for encoding, offset, length, secret in self._layers(data, "", lambda at: at, 2):
            found.setdefault((secret.name, encoding, offset), Finding(secret, encoding, offset, length))
        return list(found.values())

    def _layers(self, data, outer, origin, depth):
        """What is found in the data and, decoded, in what looks encoded in it. `origin` tells where that was at first."""
        for secret, form, at, length in self._matches(data):
            yield (outer + " of " + form if outer else form), origin(at), length, secret
        if depth == 0:
            return
        for name, start, decoded, place in decodings(data):
            whole = outer + " of " + name if outer else name
            yield from self._layers(decoded, whole, lambda at, s=start, p=place: origin(s + p(at)), depth - 1)

    def _matches(self, data):
        """A run of 12 bytes covers a whole window that begins at a multiple of 4, wherever it is."""
        for shift in (0, 4):
            usable = (len(data) - shift) // WINDOW * WINDOW
            if usable < WINDOW:
                continue
            words = memoryview(data)[shift:shift + usable].cast("Q")
            for key in self.keys.intersection(words):
                yield from self._confirmed(data, key)

    def _confirmed(self, data, key):
        window = key.to_bytes(WINDOW, "little")
        at = data.find(window)
        while at >= 0:
            for secret, name, form, start in self.windows[key]:
                before = 0
                while before < min(start, at) and form[start - before - 1] == data[at - before - 1]:
                    before += 1
                after = WINDOW
                while start + after < len(form) and at + after < len(data) and form[start + after] == data[at + after]:
                    after += 1
                if before + after >= SHORTEST:
                    yield secret, name, at - before, before + after
            at = data.find(window, at + 1)


def decodings(data):
    """(encoding, start, decoded bytes, place in the text of a decoded byte) of every run that may be text of bytes."""
    if b"\\/" in data:
        yield "escaped slashes", 0, data.replace(b"\\/", b"/"), lambda at: at
    for run in HEXADECIMAL.finditer(data):
        digits = NO_DIGIT.sub(b"", run[0])
        if len(digits) < 2 * SHORTEST:
            continue
        spread = len(run[0]) / len(digits)
        for odd in (0, 1):
            usable = digits[odd:len(digits) - (len(digits) - odd) % 2]
            yield "hexadecimal", run.start(), bytes.fromhex(usable.decode()), lambda at, s=spread, o=odd: int((o + 2 * at) * s)
    for run in DECIMAL.finditer(data):
        numbers = [int(number) for number in re.findall(rb"\d+", run[0])]
        yield "decimal", run.start(), bytes(number & 0xFF for number in numbers), lambda at, s=len(run[0]) / len(numbers): int(at * s)
    for run in BASE64.finditer(data):
        text = run[0].translate(TO_BASE64)
        name = "base64url" if re.search(rb"[-_]", run[0]) else "base64"
        for skipped in range(4):
            usable = text[skipped:]
            decoded = unbase64(usable)
            if len(decoded) >= SHORTEST:
                yield name, run.start(), decoded, lambda at, s=skipped: s + at * 4 // 3


def unbase64(text):
    """The whole bytes in the text, whose length need not be what base64 asks for."""
    rest = len(text) % 4
    if rest == 1:
        text, rest = text[:-1], 0
    return binascii.a2b_base64(text + b"=" * (-len(text) % 4)) if text else b""
