"""The rules of refusal in docs/spec: read from the tables whose first column is `id` and whose last is `outcome`.

A rule of form has `-` for an outcome: it is broken at a place, and the outcome is the place's. A place names the forms that can be
broken there, as `J-*`, perhaps with `except` and some of them. What a vector calls its rule is an id, or ids joined by `/`, from the
place down to the form.
"""

import glob
import os
import re

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "spec")
ID = re.compile(r"[A-Z]{1,2}-[A-Za-z0-9][A-Za-z0-9.-]*")
FORMS = re.compile(r"`([A-Z]{1,2}-)\*`(?: except ((?:`[^`]+`(?:, | and )?)+))?")


class Rule:
    def __init__(self, name, text, outcome, page):
        self.name, self.outcome, self.page = name, outcome, page
        self.forms = [(prefix, set(re.findall(r"`([^`]+)`", without))) for prefix, without in FORMS.findall(text)]


class Flaw(Exception):
    """The tables contradict themselves, or a vector them."""


class Rules:
    def __init__(self):
        self.rules = {}

    @classmethod
    def of_folder(cls, folder=SPEC):
        rules = cls()
        for path in sorted(glob.glob(os.path.join(folder, "*.md"))):
            with open(path, encoding="utf-8") as f:
                rules.read(f.read(), os.path.basename(path))
        rules.check()
        return rules

    @classmethod
    def of_text(cls, text):
        rules = cls()
        rules.read(text, "text")
        rules.check()
        return rules

    def check(self):
        for rule in self.rules.values():
            for prefix, without in rule.forms:
                if not self.of_form(prefix, set()) or without - set(self.rules):
                    raise Flaw("%s: %s names forms that there are not" % (rule.page, rule.name))
        unheld = set(self.rules) - {name for path in self.paths() for name in path.split("/")}
        if unheld:
            raise Flaw("no place is held to %s" % ", ".join(sorted(unheld)))

    def read(self, text, page):
        table = False
        for line in text.split("\n"):
            if not line.startswith("|"):
                table = False
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] == "id" and cells[-1] == "outcome":
                table = True
            elif table and not set(line) <= set("|-: "):
                self.add(cells, page)

    def add(self, cells, page):
        name, outcome = cells[0], cells[-1]
        named = re.fullmatch(r"`([a-z-]+)`", outcome)
        if not ID.fullmatch(name):
            raise Flaw("%s: %r is no id" % (page, name))
        if name in self.rules:
            raise Flaw("%s: %s is there twice" % (page, name))
        if not named and outcome != "-":
            raise Flaw("%s: %s has %r for an outcome" % (page, name, outcome))
        self.rules[name] = Rule(name, " ".join(cells[1:-1]), named.group(1) if named else None, page)

    def of_form(self, prefix, without):
        return [rule for rule in self.rules.values() if rule.name.startswith(prefix) and rule.outcome is None and rule.name not in without]

    def below(self, rule):
        """The ways to break a rule, as paths without it; one empty path where it names no forms."""
        if not rule.forms:
            return [""]
        return ["/" + form.name + rest for prefix, without in rule.forms for form in self.of_form(prefix, without) for rest in self.below(form)]

    def paths(self):
        """Everything that must be refused: {path: outcome}, in the order of the tables."""
        return {rule.name + rest: rule.outcome for rule in self.rules.values() if rule.outcome for rest in self.below(rule)}

    def outcomes(self):
        return {rule.outcome for rule in self.rules.values() if rule.outcome}

    def outcome(self, path):
        """What a vector of this rule has to expect."""
        names = path.split("/")
        rules = [self.rules.get(name) for name in names]
        if None in rules:
            raise Flaw("%s: there is no such rule" % path)
        for rule, form in zip(rules, rules[1:]):
            if form not in [found for prefix, without in rule.forms for found in self.of_form(prefix, without)]:
                raise Flaw("%s: %s cannot be broken at %s" % (path, form.name, rule.name))
        if rules[0].outcome is None or rules[-1].forms:
            raise Flaw("%s: %s" % (path, "a place is missing" if rules[0].outcome is None else "which form is broken is missing"))
        return rules[0].outcome
