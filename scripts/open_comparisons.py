"""Comparisons that end at the first difference, of a value whose name says that it is none for that: a MAC, a tag, a digest and the like.

It goes by the words of names, in whatever spelling (`mac`, `macBytes`, `mac1`, `computedMAC`), on both sides of an operator, in the
receiver and the arguments of a call, and through what is done to the value (`Array(mac)`, `mac.bytes`). A value under another name is
not seen. What is said about a value (its size, its state, whether there is one) is no comparison of it, and a case of an enumeration,
`.digest`, is none of its values.
"""

import re

WORD = re.compile(
    r"[hckg]?macs?|(?:auth)?tags?|\w*digests?|\w*hash(?:es|ed)?|sha|secrets?|keks?|psks?|pass(?:phrase|word)s?|signatures?|\w*sums?")
PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# The last word of a name that says something about a value and nothing of it.
ABOUT = frozenset("count counts length lengths size sizes empty index indices capacity name names state kind handle algorithm".split())
EQUAL = frozenset(("==", "!=", "~="))
# What binds less than a comparison, and so ends its operands.
LOOSE = frozenset(("==", "!=", "~=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "?", "=", "->", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "%="))
KEYWORDS = frozenset(
    "if guard while for in case where return let var else throw switch repeat do catch func default defer try await is as"
    " yield consume copy break continue #if #elseif #else #endif".split())
SKIPPED = frozenset(("try", "await", "consume", "copy", "as"))
LITERALS = frozenset(("nil", "true", "false"))
# Calls that compare what they are of with what they are given.
METHODS = frozenset(
    "elementsEqual starts hasPrefix hasSuffix isEqual isEqualTo lexicographicallyPrecedes difference commonPrefix firstRange ranges contains firstIndex lastIndex"
    " caseInsensitiveCompare compare localizedCompare".split())
FUNCTIONS = re.compile(r"(?:mem|b|wmem|str|strn|strcase|strncase|wcs|wcsn)cmp")
# A function of C, whose answer is a code.
C_FUNCTION = re.compile(r"[A-Za-z0-9]+_\w+")
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}


def is_telling(name):
    """Whether a name has a word of those that are compared in constant time."""
    return any(WORD.fullmatch(part.lower()) for part in PARTS.findall(name))


def is_about(name):
    parts = PARTS.findall(name)
    return bool(parts) and parts[-1].lower() in ABOUT


class Comparisons:
    def __init__(self, tokens):
        self.tokens, self.pairs, open_marks = tokens, {}, []
        self.inside = []  # the bracket that each token stands in, or -1
        for i, token in enumerate(tokens):
            self.inside.append(open_marks[-1] if open_marks else -1)
            if token.text in OPENING and token.kind == "mark":
                open_marks.append(i)
            elif token.text in CLOSING and token.kind == "mark" and open_marks:
                other = open_marks.pop()
                self.inside[i] = self.inside[other]
                self.pairs[i], self.pairs[other] = other, i

    def is_operator(self, i, *texts):
        return self.tokens[i].kind == "operator" and (not texts or self.tokens[i].text in texts)

    def is_binary(self, i):
        """An operator between two operands, written with spaces on both sides or on none."""
        if not self.is_operator(i) or i + 1 >= len(self.tokens) or self.tokens[i].text == ".":
            return False
        return self.tokens[i].is_spaced == self.tokens[i + 1].is_spaced

    def ends(self, i):
        """Whether an operand ends at this token, in whichever direction."""
        token = self.tokens[i]
        if token.kind == "mark":
            return token.text in ",;:{"
        if token.kind == "word":
            return token.text in KEYWORDS and not self.is_member(i) and token.text not in SKIPPED
        return token.text in LOOSE and (token.text != "?" or token.is_spaced)

    def is_member(self, i):
        return i > 0 and self.is_operator(i - 1, ".")

    def continues(self, i):
        """Whether a token that is the first of its line goes on with the expression before it."""
        token, before = self.tokens[i], self.tokens[i - 1]
        if not token.is_first:
            return True
        return (token.kind == "operator" and (token.text == "." or self.is_binary(i))) or self.is_binary(i - 1) or before.text in ("(", "[", ",", ".") \
            or before.kind == "operator" and before.is_spaced and before.text not in ("!", "?")

    def left(self, i):
        """Where the operand before token i begins."""
        at = i
        while at > 0 and self.continues(at):
            before = at - 1
            text = self.tokens[before].text
            if text in CLOSING and self.tokens[before].kind == "mark" and before in self.pairs:
                at = self.pairs[before]
                continue
            if text in OPENING and self.tokens[before].kind == "mark" or self.ends(before):
                break
            at = before
        return at

    def right(self, i):
        """Behind which token the operand after token i ends."""
        at = i + 1
        while at < len(self.tokens) and (at == i + 1 or self.continues(at)):
            text, is_mark = self.tokens[at].text, self.tokens[at].kind == "mark"
            if is_mark and text in CLOSING or self.ends(at):
                break
            at = self.pairs.get(at, at) + 1 if is_mark and text in OPENING else at + 1
        return at

    def names(self, start, end):
        """The telling names of an expression, an argument of a closure being what that was given to; without what is in braces."""
        found, at = [], start
        while at < end:
            chain, last, began = [], "", at
            while at < end:
                token = self.tokens[at]
                if token.kind == "mark" and token.text in OPENING and (began == at or not token.is_spaced or token.text == "{"):
                    close = min(self.pairs.get(at, end), end)
                    chain += [] if token.text == "{" else self.names(at + 1, close)
                    last = "" if token.text == "[" else last
                    at = close + 1
                elif token.kind == "word" and (began == at or self.is_member(at)):
                    if token.text not in KEYWORDS and not self.is_implicit(at, began):
                        last = token.text
                        chain += [last] if is_telling(last) else self.given(at) if began == at else []
                    at += 1
                elif token.text == "." or token.kind == "operator" and token.text[0] in "?!" and not token.is_spaced:
                    at += 1
                elif token.kind in ("string", "number", "regex") and (began == at or self.is_member(at)):
                    at += 1
                else:
                    break
            found += [] if is_about(last) else chain
            at += at == began
        return found

    def is_implicit(self, at, began):
        """Whether a word is a member of a type that is not named: `.digest`."""
        return at == began + 1 and self.tokens[began].text == "."

    def is_literal(self, start, end):
        return end - start == 1 and self.tokens[start].text in LITERALS

    def is_code(self, start, end, other):
        """Whether what a function of C says is compared with a number."""
        while start < end and self.tokens[start].text in SKIPPED:
            start += 1
        return end - start > 2 and C_FUNCTION.fullmatch(self.tokens[start].text) and self.pairs.get(start + 1) == end - 1 and self.tokens[other].kind == "number"

    def is_of_types(self, start, end):
        """Whether this is a condition on types: `where H == SHA256`."""
        words = [token.text for token in self.tokens[start:end] if token.kind == "word"]
        before = self.tokens[start - 1].text if start else ""
        return before == "where" and all(word[0].isupper() for word in words)

    def given(self, i):
        """The telling names of what a closure was given to, where the word at token i is an argument of that closure."""
        word, at = self.tokens[i].text, self.inside[i]
        while at >= 0:
            if self.tokens[at].text == "{" and at in self.pairs and (word.startswith("$") or word in self.parameters(at)):
                return self.names(self.left(at), at)
            at = self.inside[at]
        return []

    def parameters(self, brace):
        """The names before `in` of a closure."""
        words = []
        for at in range(brace + 1, min(brace + 20, self.pairs[brace])):
            if self.tokens[at].text == "in":
                return words
            if self.tokens[at].text not in "(),_:&[]" and self.tokens[at].kind != "word":
                return []
            words += [self.tokens[at].text] if at == brace + 1 or self.tokens[at - 1].text in ("(", ",") else []
        return []

    def of_operator(self, i):
        if i and self.tokens[i - 1].text == "func":
            return []
        if i and self.tokens[i - 1].text in ("(", ",", ":") and self.tokens[i + 1].text in (")", ","):
            # The operator itself, handed to a call.
            opening = self.inside[i]
            return self.names(self.left(opening), self.pairs[opening])
        start, end = self.left(i), self.right(i)
        if self.is_literal(start, i) or self.is_literal(i + 1, end) or self.is_code(start, i, i + 1) or self.is_of_types(start, end):
            return []
        return self.names(start, i) + self.names(i + 1, end)

    def of_call(self, i):
        token = self.tokens[i]
        if i + 1 >= len(self.tokens) or self.tokens[i + 1].text != "(" or i + 1 not in self.pairs or self.tokens[i - 1].text == "func":
            return []
        arguments = (i + 2, self.pairs[i + 1])
        if self.is_member(i) and token.text in METHODS and self.tokens[i + 2].text not in ("where", "{"):
            return self.names(self.left(i), i - 1) + self.names(*arguments)
        return self.names(*arguments) if FUNCTIONS.fullmatch(token.text) else []

    def is_value(self, i):
        """Whether the pattern that begins at token i compares with a value: it is no case, no name to bind, no type."""
        token = self.tokens[i]
        if token.text == "(" and i in self.pairs:
            starts = [i + 1] + [at + 1 for at in range(i + 1, self.pairs[i]) if self.tokens[at].text == "," and self.inside[at] == i]
            return any(self.is_value(at) for at in starts)
        return token.text not in (".", "let", "var", "nil", "is", "_", ")")

    def of_switch(self, i):
        end = self.right(i)
        if self.is_member(i) or end >= len(self.tokens) or self.tokens[end].text != "{" or end not in self.pairs:
            return []
        cases = (at for at in range(end + 1, self.pairs[end]) if self.tokens[at].text == "case" and self.inside[at] == end)
        return self.names(i + 1, end) if any(self.is_value(at + 1) for at in cases) else []

    def of_pattern(self, i):
        """`if case a = b`: a value for a pattern compares."""
        if self.tokens[i - 1].text not in ("if", "guard", "while", ",", "for"):
            return []
        equal = self.right(i)
        if equal >= len(self.tokens) or not self.is_operator(equal, "=") or not self.is_value(i + 1):
            return []
        return self.names(i + 1, equal) + self.names(equal + 1, self.right(equal))

    def all(self):
        """(token, telling names) of each that is open."""
        for i, token in enumerate(self.tokens):
            found = []
            if token.kind == "operator" and token.text in EQUAL:
                found = self.of_operator(i)
            elif token.kind == "word" and token.text == "switch":
                found = self.of_switch(i)
            elif token.kind == "word" and token.text == "case" and i:
                found = self.of_pattern(i)
            elif token.kind == "word":
                found = self.of_call(i)
            if found:
                yield token, sorted(set(found))
