"""Ways to break the rules of form of docs/spec/envelope.md: each function gives {id: broken value}, with one flaw each."""

import waxwing as w

URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
STANDARD = URL[:62] + "+/"


def with_bit(text, at, alphabet):
    """The last character before `at` with its lowest bit set, which nothing uses."""
    return text[:at - 1] + alphabet[alphabet.index(text[at - 1]) | 1] + text[at:]


def base64url(good):
    """Of base64url of 4 characters and more."""
    out = {
        "U-standard": "+" + good[1:], "U-space": good[:2] + " " + good[3:], "U-ascii": "\u212a" + good[1:], "U-character": good[:2] + "*" + good[3:],
        "U-padding": good + "=" * (-len(good) % 4 or 4), "U-length": good + "A" * ((1 - len(good)) % 4 or 4),
    }
    if len(good) % 4:
        out["U-bits"] = with_bit(good, len(good), URL)
    return out


def base64(good):
    """Of base64 of 8 characters and more."""
    letters = good.rstrip("=")
    out = {
        "P-url": "-" + good[1:], "P-space": good + "\n", "P-ascii": "\u212a" + good[1:], "P-character": good[:2] + "*" + good[3:],
        "P-padding": letters if letters != good else good + "=", "P-inside": good[:2] + "==" + good[4:],
    }
    if letters != good:
        out["P-bits"] = with_bit(good, len(letters), STANDARD)
    return out


def integer(value):
    return {
        "I-string": str(value), "I-true": True, "I-null": None, "I-array": [value], "I-minus": w.Raw("-%d" % value), "I-fraction": w.Raw("%d.0" % value),
        "I-exponent": w.Raw("%de0" % value), "I-large": w.Raw(str(2**53)),
    }


def kid(handle, epoch=0):
    return {
        "H-dot": handle + "0%d" % epoch, "H-length": handle[:-1] + ".%d" % epoch, "H-character": handle[:-1] + "=.%d" % epoch, "H-empty": handle + ".",
        "H-digit": handle + ".+%d" % epoch, "H-zero": handle + ".0%d" % epoch, "H-range": handle + ".65536",
    }


class Place:
    """A JSON object as text, and a member of it whose value may be replaced by anything; `where` tells its value from its surroundings."""

    def __init__(self, whole, member, value):
        """`value` is a string's text as it stands in `whole`, its quotes included, once."""
        self.whole, self.member, self.value = whole.encode("utf-8"), member.encode("ascii"), value.encode("utf-8")
        self.head, self.tail = self.whole.split(b'"%s":%s' % (self.member, self.value))

    def put(self, raw):
        return self.head + b'"' + self.member + b'":' + raw + self.tail

    def text(self, more):
        """With more behind the string's text."""
        return self.put(self.value[:-1] + more + b'"')

    def again(self, name):
        return self.put(self.value + b',"' + name + b'":' + self.value)


def json_text(p):
    whole, first = p.whole, p.member
    return {
        "J-empty": b" ", "J-cut": whole[:-1], "J-after": whole + b"x", "J-bom": b"\xef\xbb\xbf" + whole, "J-utf16": whole.decode("utf-8").encode("utf-16-le"),
        "J-utf8": p.text(b"\xff"), "J-overlong": p.text(b"\xc0\xaf"), "J-beyond": p.text(b"\xf4\x90\x80\x80"), "J-surrogate": p.text(b"\xed\xa0\x80"),
        "J-high": p.text(b"\\ud800"), "J-low": p.text(b"\\udc00"), "J-surrogate-name": p.again(b"\\ud800"), "J-twice": p.again(first),
        "J-twice-escaped": p.again(b"\\u%04x" % first[0] + first[1:]), "J-control": p.text(b"\t"), "J-escape": p.text(b"\\x41"), "J-hex": p.text(b"\\u00g1"),
        "J-space": whole + b"\0", "J-comma": whole[:-1] + b",}", "J-colon": whole.replace(b'"%s":' % first, b'"%s" ' % first), "J-name": whole.replace(b'"%s":' % first, b"%s:" % first),
        "J-quote": p.put(b"'" + p.value[1:-1] + b"'"), "J-comment": whole[:-1] + b"/**/}", "J-word": p.put(b"True"),
    }


def json_values(p):
    deep = b"[" * 16 + b"]" * 16
    return {
        "JN-depth": p.put(deep), "JN-twice": p.put(b'{"a":{"b":1,"b":1}}'), "JN-twice-array": p.put(b'[{"b":1,"\\u0062":1}]'), "JN-bracket": p.put(b"[1}"),
        "JN-comma": p.put(b"[1,]"), "JN-zero": p.put(b"01"), "JN-plus": p.put(b"+1"), "JN-minus": p.put(b"-"), "JN-front": p.put(b".5"), "JN-point": p.put(b"1."),
        "JN-exponent": p.put(b"1e+"), "JN-hex": p.put(b"0x10"), "JN-nan": p.put(b"NaN"),
    }


def more_json(p):
    """Further ways, [(id, about, bytes)]: a rule that one test would meet may fail another."""
    whole = p.whole
    return [
        ("J-empty", "nothing", b""), ("J-after", "a second value", whole + b"{}"), ("J-after", "a closing brace", whole + b"}"), ("J-space", "form feed behind", whole + b"\f"),
        ("J-space", "no-break space in front", b"\xc2\xa0" + whole), ("J-space", "vertical tab inside", whole[:-1] + b"\x0b}"), ("J-space", "line separator behind", whole + "\u2028".encode()),
        ("J-utf16", "big-endian", whole.decode().encode("utf-16-be")), ("J-utf8", "a sequence cut off", p.text(b"\xe2\x82")), ("J-utf8", "a stray continuation", p.text(b"\x80")),
        ("J-overlong", "a quotation mark in two bytes", p.text(b"\xc0\xa2")), ("J-overlong", "NUL in two bytes", p.text(b"\xc0\x80")), ("J-beyond", "0xF5", p.text(b"\xf5\x80\x80\x80")),
        ("J-surrogate", "a pair in six bytes", p.text(b"\xed\xa0\xbd\xed\xb8\x80")), ("J-high", "a letter between the two", p.text(b"\\ud83dx\\ude00")), ("J-high", "twice", p.text(b"\\ud83d\\ud83d")),
        ("J-low", "the wrong way round", p.text(b"\\ude00\\ud83d")), ("J-control", "line feed", p.text(b"\n")), ("J-control", "NUL", p.text(b"\0")), ("J-control", "U+001F", p.text(b"\x1f")),
        ("J-escape", "a capital U", p.text(b"\\U0041")), ("J-escape", "an apostrophe", p.text(b"\\'")), ("J-escape", "a line feed", p.text(b"\\\n")), ("J-hex", "three digits", p.text(b"\\u041")),
        ("J-hex", "a sign", p.text(b"\\u+041")), ("J-hex", "an underscore", p.text(b"\\u0_41")), ("J-hex", "white space", p.text(b"\\u 041")), ("J-comma", "in front", b"{," + whole[1:]),
        ("J-comma", "none between members", whole.replace(b',"', b' "', 1)), ("J-comma", "two between members", whole.replace(b',"', b',,"', 1)), ("J-colon", "an equals sign", whole.replace(b'":', b'"=', 1)),
        ("J-quote", "typographic", whole.replace(b'"', "\u201c".encode(), 1)), ("J-comment", "to the end of the line", whole + b"//x"), ("J-comment", "a number sign", b"#\n" + whole),
        ("J-word", "NULL", p.put(b"NULL")), ("J-word", "undefined", p.put(b"undefined")), ("J-word", "cut short", p.put(b"nul")),
    ]


def more_values(p):
    return [
        ("JN-depth", "objects", p.put(b'{"a":' * 16 + b"1" + b"}" * 16)), ("JN-depth", "objects and arrays in turn", p.put(b'[{"a":' * 8 + b"1" + b"}]" * 8)),
        ("JN-depth", "never closed", p.put(b"[" * 2000)), ("JN-zero", "after a minus", p.put(b"-01")), ("JN-zero", "two", p.put(b"00")), ("JN-point", "before an exponent", p.put(b"1.e5")),
        ("JN-exponent", "none at all", p.put(b"1E")), ("JN-exponent", "with a point", p.put(b"1e1.5")), ("JN-minus", "two", p.put(b"--1")), ("JN-hex", "octal", p.put(b"0o7")),
        ("JN-nan", "Infinity", p.put(b"Infinity")), ("JN-nan", "-Infinity", p.put(b"-Infinity")), ("JN-front", "minus and a point", p.put(b"-.5")), ("JN-zero", "digits of another script", p.put("\u0661".encode())),
        ("JN-comma", "the array empty but for it", p.put(b"[,]")), ("JN-bracket", "the other way", p.put(b'{"a":1]')),
    ]
