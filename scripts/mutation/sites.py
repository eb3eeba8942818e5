"""Where Swift source can be changed by one operator of the table, and into what.

A small scanner, no parser: it knows comments, strings with what is interpolated, brackets, and the habits of the formatter (spaces
around binary operators, one statement a line). What it takes for a site and is none does not compile, and is counted as that.
"""

import hashlib
import re

OPERATORS = ("drop-guard", "comparison", "constant", "swap", "ignored-failure")

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}
# What leaves the block, as the first word of the body of an `if`: such an `if` is a guard by another name.
LEAVING = ("throw", "return", "continue", "break")
# Calls whose strings are words for people: they are not compared.
MESSAGES = {
    "KeyStoreError", "FormatError", "precondition", "preconditionFailure", "assert", "assertionFailure", "wrongLength", "outOfRange", "failed",
    "locked", "notUnlocked", "system",
}
# Words after which `(` begins no list of arguments.
NO_CALL = {
    "if", "guard", "while", "switch", "for", "in", "return", "throw", "try", "case", "let", "var", "else", "where", "func", "init",
    "subscript", "throws", "await", "is", "as", "deinit", "some", "any",
}
OPENING = {"(": ")", "[": "]", "{": "}"}

TOKEN = re.compile(
    r"(?P<number>0x[0-9a-fA-F_]+|0b[01_]+|[0-9][0-9_]*)"
    r"|(?P<name>[@#]?[A-Za-z_][A-Za-z0-9_]*|\$[0-9]+|`[A-Za-z_]+`)"
    r"|(?P<operator>\.\.[.<]|[-+*/%<>=!&|^~?]+)"
    r"|(?P<mark>[][(){},:;.\\@#])")


class Token:
    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


class Site:
    """One change of one file: `text[start:end]` becomes `new`, and where it is a swap, a second piece becomes another."""

    def __init__(self, path, text, operator, changes):
        self.path, self.operator, self.changes = path, operator, sorted(changes)
        first = self.changes[0][0]
        self.line = text.count("\n", 0, first) + 1
        begin = text.rfind("\n", 0, first) + 1
        stop = text.find("\n", self.changes[-1][1])
        self.before = " ".join(text[begin:stop].split())
        self.after = " ".join(self.apply(text)[begin : stop + self.growth()].split())
        self.name = ""

    def growth(self):
        return sum(len(new) - (end - start) for start, end, new in self.changes)

    def apply(self, text):
        for start, end, new in reversed(self.changes):
            text = text[:start] + new + text[end:]
        return text


def scan(text, start=0, stop=None):
    """Tokens of the source; a piece of a string literal is a token of kind `string`, what is interpolated is scanned in turn."""
    tokens, at = [], start
    stop = len(text) if stop is None else stop
    while at < stop:
        if text[at].isspace():
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at, stop)
            at = stop if end < 0 else end
        elif text.startswith("/*", at):
            at = end_of_comment(text, at)
        elif re.match(r'#*"', text[at : at + 8]):
            at = scan_string(text, at, tokens)
        else:
            found = TOKEN.match(text, at, stop)
            if found is None:
                raise ValueError("no token at %d: %r" % (at, text[at : at + 20]))
            tokens.append(Token(found.lastgroup, found.group(), at))
            at = found.end()
    return tokens


def end_of_comment(text, at):
    depth = 0
    while True:
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1


def scan_string(text, at, tokens):
    hashes = re.match("#*", text[at:]).group()
    at += len(hashes)
    quote = '"""' if text.startswith('"""', at) else '"'
    at += len(quote)
    begin, escape = at, "\\" + hashes
    tokens.append(Token("quote", hashes + quote, begin - len(hashes) - len(quote)))
    while not text.startswith(quote + hashes, at):
        if text.startswith(escape + "(", at):
            if at > begin:
                tokens.append(Token("string", text[begin:at], begin))
            inner, depth, end = at + len(escape) + 1, 1, at + len(escape) + 1
            while depth:
                if text[end] == '"':
                    end = scan_string(text, end, [])
                    continue
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            tokens.extend(scan(text, inner, end - 1))
            at = begin = end
        elif text.startswith(escape, at):
            # An escape is left as it is: the piece ends before it.
            if at > begin:
                tokens.append(Token("string", text[begin:at], begin))
            at += len(escape) + 1
            if text[at - 1] == "u":
                at = text.index("}", at) + 1
            begin = at
        else:
            at += 1
    if at > begin:
        tokens.append(Token("string", text[begin:at], begin))
    tokens.append(Token("quote", quote + hashes, at))
    return at + len(quote) + len(hashes)


class Source:
    """The tokens of a file, and for each the bracket it stands in."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [t for t in scan(text) if not self.is_directive(t)]
        self.partner, self.parent = {}, [None] * len(self.tokens)
        open_ = []
        for i, token in enumerate(self.tokens):
            if token.kind == "mark" and token.text in OPENING.values():
                self.partner[open_.pop()] = i
            self.parent[i] = open_[-1] if open_ else None
            if token.kind == "mark" and token.text in OPENING:
                open_.append(i)

    def is_directive(self, token):
        line = self.text[self.text.rfind("\n", 0, token.start) + 1 : token.end].lstrip()
        return line.startswith(("#if", "#else", "#endif", "import ", "public import ", "internal import ", "package import ", "@available"))

    def text_at(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_spaced(self, i):
        token = self.tokens[i]
        return self.text[token.start - 1].isspace() and self.text[token.end].isspace()

    def skip(self, i):
        """The index after token i, or after the bracket that it opens."""
        return self.partner.get(i, i) + 1

    def site(self, operator, *changes):
        return Site(self.path, self.text, operator, list(changes))

    # Guards

    def clauses(self, i, stop):
        """The conditions from token i up to a token of `stop`: (first, last) token each, and the index of that token."""
        found, first = [], i
        while self.text_at(i) not in stop:
            if self.text_at(i) == ",":
                found.append((first, i - 1))
                first = i + 1
            i = self.skip(i)
        found.append((first, i - 1))
        return found, i

    def is_binding(self, clause):
        return self.text_at(clause[0]) in ("let", "var", "case", "#available")

    def guards(self):
        """(condition, whether the guard fires when it is false) of every guard."""
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and token.text == "guard":
                for clause in self.clauses(i + 1, ("else",))[0]:
                    if not self.is_binding(clause):
                        yield clause, True
            elif token.kind == "name" and token.text == "if" and self.text_at(i - 1) != "=":
                clauses, body = self.clauses(i + 1, ("{",))
                if self.text_at(body + 1) in LEAVING:
                    for clause in clauses:
                        if not self.is_binding(clause):
                            yield clause, False

    def drop_guard(self):
        for (first, last), fires_when_false in self.guards():
            yield self.site("drop-guard", (self.tokens[first].start, self.tokens[last].end, "true" if fires_when_false else "false"))
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and token.text == "precondition" and self.text_at(i + 1) == "(":
                yield self.site("drop-guard", (token.start, self.tokens[self.partner[i + 1]].end, "_ = ()"))

    # Comparisons

    def comparison(self):
        for i, token in enumerate(self.tokens):
            if token.kind != "operator":
                continue
            if token.text in COMPARISONS and self.is_spaced(i) and self.text_at(i - 1) != "func":
                yield self.site("comparison", (token.start, token.end, COMPARISONS[token.text]))
            elif token.text == "!" and self.text[token.start - 1] in " ([{" and not self.text[token.end].isspace():
                yield self.site("comparison", (token.start, token.end, ""))

    # Constants

    def callee(self, i):
        """The name before the bracket i, as a call has it; empty for any other bracket."""
        if self.text_at(i) != "(" or i == 0 or self.tokens[i - 1].end != self.tokens[i].start:
            return ""
        before = self.tokens[i - 1]
        return before.text if before.kind == "name" and before.text not in NO_CALL else ""

    def is_for_people(self, i):
        """Whether the string at i is a message: thrown, an argument of what makes messages, or a hint."""
        around = self.parent[i]
        while around is not None:
            if self.callee(around) in MESSAGES:
                return True
            around = self.parent[around]
        j = i - 1
        while j >= 0 and self.text_at(j) not in ("{", "}", ";"):
            if self.text_at(j) == "throw" or re.search(r"[hH]int$", self.text_at(j)):
                return True
            j -= 1
        return False

    def labels(self):
        for i, token in enumerate(self.tokens):
            if token.kind == "string" and not self.is_for_people(i):
                yield i

    def constant(self):
        for i, token in enumerate(self.tokens):
            if token.kind == "number" and not self.is_tuple_index(i):
                value = int(token.text.replace("_", ""), 0)
                for other in (value + 1, value - 1):
                    written = hex(other) if token.text.startswith("0x") and other >= 0 else str(other)
                    yield self.site("constant", (token.start, token.end, written))
        for i in self.labels():
            token = self.tokens[i]
            places = [k for k, c in enumerate(token.text) if c.isalnum()] or [k for k, c in enumerate(token.text) if c not in "\"\\\n "]
            if places:
                at = places[digest(token.text) % len(places)]
                yield self.site("constant", (token.start + at, token.start + at + 1, next_character(token.text[at])))

    def is_tuple_index(self, i):
        return self.text_at(i - 1) == "." and self.tokens[i - 1].end == self.tokens[i].start

    # Swaps

    def arguments(self, i):
        """The (first, last) tokens of each argument's value in the list that bracket i opens."""
        found, end, first = [], self.partner[i], i + 1
        j = i + 1
        while j <= end:
            if j == end or self.text_at(j) == ",":
                if first < j:
                    is_labelled = self.tokens[first].kind == "name" and self.text_at(first + 1) == ":"
                    found.append((first + 2 if is_labelled else first, j - 1))
                first = j + 1
            j = self.skip(j)
        return [a for a in found if a[0] <= a[1]]

    def is_call(self, i):
        before = self.text_at(i - 2)
        name = self.callee(i) or (self.text_at(i - 1) if self.text_at(i - 1) == "init" and before == "." else "")
        if not name or name.startswith(("@", "#")) or before in ("func", "case", "class", "struct", "enum", "actor", "macro"):
            return False
        return before != "." or self.text_at(i - 3) != "case"

    def swap(self):
        for i, token in enumerate(self.tokens):
            if token.text != "(" or token.kind != "mark" or not self.is_call(i):
                continue
            if self.callee(i) in MESSAGES:
                continue
            arguments = self.arguments(i)
            for one, other in zip(arguments, arguments[1:]):
                yield from self.exchange(one, other)
        labels = [i for i in self.labels() if self.text_at(i).strip(" ,") and self.is_whole(i)]
        for one, other in zip(labels, labels[1:]):
            if self.function_of(one) == self.function_of(other) and self.function_of(one) is not None:
                yield from self.exchange((one - 1, one + 1), (other - 1, other + 1))

    def is_whole(self, i):
        """Whether the piece is all of its literal."""
        return self.tokens[i - 1].kind == "quote" and self.tokens[i + 1].kind == "quote"

    def function_of(self, i):
        """The outermost block of statements that token i stands in: the body of a function or the like."""
        found, around = None, self.parent[i]
        while around is not None:
            if self.text_at(around) == "{" and self.opens_type(around):
                return found
            if self.text_at(around) == "{":
                found = around
            around = self.parent[around]
        return found

    def opens_type(self, i):
        j = i - 1
        while j >= 0 and self.text_at(j) not in ("{", "}") and self.text_at(j) not in ("func", "init", "var", "let", "deinit", "subscript"):
            if self.text_at(j) in ("struct", "enum", "class", "extension", "protocol", "actor"):
                return True
            j -= 1
        return False

    def exchange(self, one, other):
        a = (self.tokens[one[0]].start, self.tokens[one[1]].end)
        b = (self.tokens[other[0]].start, self.tokens[other[1]].end)
        first, second = self.text[a[0] : a[1]], self.text[b[0] : b[1]]
        # A closure, or a type, in the place of a value would never compile.
        is_same_kind = first.startswith("{") == second.startswith("{") and first.endswith(".self") == second.endswith(".self")
        if first.split() != second.split() and is_same_kind:
            yield self.site("swap", (a[0], a[1], second), (b[0], b[1], first))

    # Failures that are not looked at

    def ignored_failure(self):
        for (first, last), fires_when_false in self.guards():
            compared = [j for j in range(first, last) if self.tokens[j].kind == "operator" and self.text_at(j) in ("==", ">=", "!=")]
            call = next((j for j in range(first, last) if self.text_at(j) == "(" and self.callee(j)), None)
            if len(compared) == 1 and call is not None and call - first <= 1 and self.partner[call] == compared[0] - 1:
                tail = " || true" if fires_when_false else " && false"
                start, end = self.tokens[first].start, self.tokens[last].end
                yield self.site("ignored-failure", (start, end, self.text[start:end] + tail))
        for i, token in enumerate(self.tokens):
            if token.text == "try" and token.kind == "name" and self.is_statement(i):
                end = self.end_of_statement(i)
                start, stop = self.tokens[i + 1].start, self.tokens[end - 1].end
                if self.text_at(i + 1) == "require":
                    inner = self.text[self.tokens[i + 2].end : self.tokens[end - 1].start]
                    yield self.site("ignored-failure", (token.start, stop, "_ = %s" % inner.strip()))
                else:
                    yield self.site("ignored-failure", (token.start, stop, "_ = try? %s" % self.text[start:stop]))

    def is_statement(self, i):
        before, token = self.tokens[i - 1], self.tokens[i]
        if before.text in ("{", "in", ";", "}"):
            return True
        is_first = "\n" in self.text[before.end : token.start]
        return is_first and before.text not in ("=", "(", "[", ",", ":", "return", "?") and before.kind != "operator"

    def end_of_statement(self, i):
        j = self.skip(i)
        while j < len(self.tokens):
            token = self.tokens[j]
            if token.text in ("}", ")", "]", ";", "catch") and j not in self.partner:
                return j
            if "\n" in self.text[self.tokens[j - 1].end : token.start] and token.text != "." and token.kind != "operator":
                return j
            j = self.skip(j)
        return j

    def sites(self):
        for make in (self.drop_guard, self.comparison, self.constant, self.swap, self.ignored_failure):
            yield from make()


def digest(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def next_character(c):
    return {"z": "y", "Z": "Y", "9": "8"}.get(c) or chr(ord(c) + 1)


def sites_of(path, text):
    """The sites of a file. Their names say operator, file and line as it is and becomes, and so outlive a change elsewhere."""
    found, seen = [], {}
    # Two strings side by side are two arguments and two labels.
    for site in {tuple(site.changes): site for site in Source(path, text).sites()}.values():
        base = "%s|%s|%s|%s" % (site.operator, path, site.before, site.after)
        seen[base] = seen.get(base, 0) + 1
        site.name = "%016x" % digest("%s|%d" % (base, seen[base]))
        found.append(site)
    return found


def draw(sites, seed):
    """All sites in the order of the seed: by a digest, so that each is as likely as any other and none moves when another is gone."""
    return sorted(sites, key=lambda site: digest("%s|%s" % (seed, site.name)))
