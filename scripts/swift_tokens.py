"""Swift text as tokens, for what looks at sources: comments are dropped, and what stands in a string is no code but its interpolations.

Of tokens only as much is known as the checks ask for: words (keywords, names, with `@` or `#` before them where they are attributes or
directives), numbers, strings, operators as long as they go, and every other character by itself.
"""

import re
from dataclasses import dataclass, replace

WORD = re.compile(r"[@#]?`?[^\W\d]\w*`?|\$\w+")
NUMBER = re.compile(r"0[xob][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
OPERATOR = re.compile(r"[/=\-+!*%<>&|^~?]+|\.\.[.<]|\.")
STRING = re.compile(r'(#*)("""(?=[ \t]*\n)|")')
REGEX = re.compile(r"#+/|/(?=\S[^\n]*/)")
# Before a regular expression; after anything else `/` divides.
BEFORE_REGEX = frozenset(("", "(", "[", "{", ",", ":", "=", "in", "return", "case", "try", "==", "!=", "&&", "||", "~="))


class Unreadable(ValueError):
    """Text that ends within a comment or a string: what follows is not seen, so it is no text to pass."""


@dataclass(frozen=True)
class Token:
    kind: str  # word, number, string, regex, operator, mark
    text: str
    start: int
    is_spaced: bool  # a space, a comment or the beginning is before it
    is_first: bool  # the first of its line


class Reader:
    def __init__(self, text):
        self.text, self.at, self.tokens = text, 0, []
        self.ended = 0  # where the last token ended
        self.code = [c if c == "\n" else " " for c in text]

    def add(self, kind, start, end):
        between = self.text[self.ended:start]
        is_first = not self.tokens or "\n" in between
        self.tokens.append(Token(kind, self.text[start:end], start, is_first or bool(between), is_first))
        self.at = self.ended = end

    def keep(self, start, end):
        self.code[start:end] = self.text[start:end]

    def unreadable(self, start, what):
        return Unreadable("line %d: %s without an end" % (self.text.count("\n", 0, start) + 1, what))

    def read(self, until_paren=False):
        """All of the text, or as far as the parenthesis that ends an interpolation."""
        text, depth = self.text, 0
        while self.at < len(text):
            at, c = self.at, text[self.at]
            if c.isspace():
                self.at += 1
            elif text.startswith("//", at):
                end = text.find("\n", at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                self.comment()
            elif m := STRING.match(text, at):
                self.string(m)
            elif c in "#/" and (m := REGEX.match(text, at)) and (c == "#" or (self.tokens[-1].text if self.tokens else "") in BEFORE_REGEX):
                self.regex(m)
            elif m := WORD.match(text, at) or NUMBER.match(text, at) or OPERATOR.match(text, at):
                self.keep(at, self.cut(m))
                self.add("word" if m.re is WORD else "number" if m.re is NUMBER else "operator", at, self.cut(m))
            else:
                depth += {"(": 1, ")": -1}.get(c, 0)
                self.keep(at, at + 1)
                self.add("mark", at, at + 1)
                if until_paren and depth < 0:
                    return
        if until_paren:
            raise self.unreadable(len(text), "an interpolation")

    def cut(self, m):
        """Where a token ends: a comment ends an operator."""
        found = re.search(r"/[/*]", m.group(0)) if m.re is OPERATOR else None
        return m.start() + found.start() if found and found.start() else m.end()

    def comment(self):
        start, depth, at = self.at, 0, self.at
        for m in re.compile(r"/\*|\*/").finditer(self.text, at):
            if m.start() < at:
                continue
            at, depth = m.end(), depth + (1 if m.group(0) == "/*" else -1)
            if depth == 0:
                self.at = at
                return
        raise self.unreadable(start, "a comment")

    def string(self, m):
        """One token from quote to quote, and behind it what its interpolations say, each as if it were the argument of a call."""
        hashes, quote = m.groups()
        start, closing, escape, index = m.start(), quote + hashes, "\\" + hashes, len(self.tokens)
        self.keep(start, m.end())
        self.add("string", start, m.end())
        while not self.text.startswith(closing, self.at):
            if self.text.startswith(escape + "(", self.at):
                opening = self.ended = self.at + len(escape)
                self.keep(opening, opening + 1)
                self.add("mark", opening, opening + 1)
                self.read(until_paren=True)
            elif self.text.startswith(escape, self.at):
                self.at += len(escape) + 1
            elif self.at >= len(self.text) or self.text[self.at] == "\n" and quote == '"':
                raise self.unreadable(start, "a string")
            else:
                self.at += 1
        self.keep(self.at, self.at + len(closing))
        self.at = self.ended = self.at + len(closing)
        self.tokens[index] = replace(self.tokens[index], text=self.text[start:self.at])

    def regex(self, m):
        start, closing = m.start(), m.group(0)[::-1]
        at = m.end()
        while at < len(self.text) and not self.text.startswith(closing, at) and (closing != "/" or self.text[at] != "\n"):
            at += 2 if self.text[at] == "\\" else 1
        if not self.text.startswith(closing, at):
            raise self.unreadable(start, "a regular expression")
        self.add("regex", start, at + len(closing))


def read(text):
    """(tokens, the text with blanks for comments and for what strings say)"""
    reader = Reader(text)
    reader.read()
    return reader.tokens, "".join(reader.code)
