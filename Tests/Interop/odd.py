"""Texts, numbers and pieces of JSON that are unusual."""

import unicodedata

RANGES = (
    (0x20, 0x7E), (0x00, 0x1F), (0x7F, 0xFF), (0x300, 0x36F), (0x590, 0x6FF), (0x900, 0x97F), (0x1100, 0x11FF), (0x2000, 0x206F),
    (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xE0FF), (0xFE00, 0xFE0F), (0xFFF0, 0xFFFF), (0x1F1E6, 0x1F1FF),
    (0x1F300, 0x1FAFF), (0xE0100, 0xE01EF), (0x10FF00, 0x10FFFF),
)
PHRASES = (
    "\"quoted\\\" and 'not'", "</script>&amp;", "\u660e\u65e5 10\u6642", "\U0001F469\u200d\U0001F469\u200d\U0001F466\U0001F3FD", "\r\n", "{name} %@ $1",
    "e\u0301\u00e9", "\u202eabc\u202c", "\u212aelvin", "", " ",
)
PIECES = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\t", b"\n", b"\r", b"\0", b"\x0b", b"\x0c", b"\x1f", b"\x7f", b"\xc2\xa0", b"\xef\xbb\xbf", b"\xe2\x80\xa8",
    b"\\u0000", b"\\u0041", b"\\ud83d", b"\\ude00", b"\\ud83d\\ude00", b"\\uD83D\\uDE00", b"\\u", b"\\u12", b"\\u00G0", b"\\x41", b"\\/", b"\\b", b"\\\"", b"\\'", b"0", b"1", b"-", b"+",
    b".", b"e", b"E", b"1e5", b"-0", b"01", b"1.", b"null", b"true", b"false", b"NaN", b"Infinity", b"nul", b"\xff", b"\x80", b"\xc0\x80", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80",
    b"\xed\xbf\xbf", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\xef\xbf\xbe", b'"a":1', b'"a":1,', b',"a":1', b",,", b"[]", b"{}", b"[[", b"/**/", b"//", b"'", b"#",
)


def text(rng, longest):
    out = []
    for _ in range(rng.randrange(longest)):
        if rng.random() < 0.1:
            out.append(rng.choice(PHRASES))
        else:
            low, high = rng.choice(RANGES)
            c = chr(rng.randint(low, high))
            # What a code point that is not assigned yet clings to differs from one version of Unicode to the next.
            out.append(c if unicodedata.category(c) != "Cn" or c in "\ufffe\uffff" else "?")
    return "".join(out)


def number(rng):
    """A token that is a number of JSON, or nearly."""
    whole = rng.choice(("0", "00", "1", "01", "12", "9007199254740991", "9007199254740992", "9" * rng.randrange(1, 40), ""))
    return rng.choice(("", "", "", "-", "+", "--")) + whole + rng.choice(("", "", "", ".", ".0", ".5", ".05e", "..1")) + rng.choice(("", "", "", "e", "E5", "e+", "e-3", "e400", "e0.5", "E+05"))


def string(rng):
    """The inside of a string as it may be written: letters, escapes, surrogates in and out of pairs."""
    out = b""
    for _ in range(rng.randrange(8)):
        kind = rng.randrange(6)
        if kind < 2:
            low, high = rng.choice(RANGES)
            out += chr(rng.randint(low, high)).encode("utf-8")
        elif kind == 2:
            out += b"\\u%04x" % rng.choice((rng.randrange(0xD800, 0xE000), rng.randrange(0x10000), rng.randrange(0x80)))
        elif kind == 3:
            out += b"\\u%04X\\u%04x" % (rng.randrange(0xD800, 0xDC00), rng.choice((rng.randrange(0xDC00, 0xE000), rng.randrange(0xDC00, 0xE000), rng.randrange(0xD800, 0xDC00))))
        elif kind == 4:
            out += b"\\" + rng.choice((b'"', b"\\", b"/", b"b", b"f", b"n", b"r", b"t", b"u", b"x", b"0", b"N", b"U"))
        else:
            out += rng.choice((b"a", b" ", b"\xc3\xa9", b"e\xcc\x81", b"\xe2\x84\xaa", b"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa6"))
    return out


def nested(rng):
    """Containers in containers, around as many as are allowed."""
    depth = rng.randrange(10, 20)
    opened = [rng.choice((b"[", b'{"a":')) for _ in range(depth)]
    closed = [b"]" if o == b"[" else b"}" for o in reversed(opened)]
    return b"".join(opened) + rng.choice((b"1", b'""', b"null")) + b"".join(closed)


def edited(rng, data):
    """After one or two small edits."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        at = rng.randrange(len(data) + 1)
        cut = rng.choice((0, 0, 1, 1, 2, 3))
        kind = rng.randrange(8)
        if kind < 5:
            piece = rng.choice(PIECES)
        elif kind == 5:
            piece = data[at:at + rng.randrange(1, 12)] * 2
        elif kind == 6:
            piece = data[at:at + 2][::-1]
            cut = len(piece)
        else:
            piece = b""
        data = data[:at] + piece + data[at + cut:]
    return data
