#!/usr/bin/env python3
"""Write plurals.txt, tags.txt and directions.txt, against which the opener's localisation is tested: CLDR as the Python package
`babel` has it, and the Unicode data of Python itself.

  pip install babel && ./make_languages.py

plurals.txt     the numbers asked, on lines `numbers`; then for each language a letter for each number: z, o, t, f, m, x for
                zero, one, two, few, many, other.
tags.txt        `script TAG SCRIPT`: the script that a language and a region imply; `parent TAG TAG`; `renamed CODE TAG`.
directions.txt  ranges of code points whose bidirectional class is R, AL or AN, or an embedding, override or isolate.
"""
import os
import sys
import unicodedata
from decimal import Decimal, getcontext

import babel
from babel.core import Locale, get_global
from babel.localedata import locale_identifiers

getcontext().prec = 100
HERE = os.path.dirname(os.path.abspath(__file__))
LETTERS = {"zero": "z", "one": "o", "two": "t", "few": "f", "many": "m", "other": "x"}
LARGE = """
201 211 221 300 301 302 303 311 999 1000 1001 1002 1003 1004 1011 1012 1019 1021 1100 1111 10000 10011 20000 99999 100000 100001
123456 999999 1000000 1000001 1000002 1000011 1100000 2000000 2000001 3000000 10000000 1000000000 999999999999 1000000000000
1000000000001 1000000000011 2000000000000 2000000000021 1000000000000000 1000000000000000000 18446744073709551615
18446744073709551616 1000000000000000000000 1000000000000000000000000000011 5000000000000000000000000000000
""".split()
# Not those like 0.00 and 0.01: babel 2.19 takes them for numbers of fewer places than they have.
DECIMAL = """
0.0 0.1 0.2 0.3 0.4 0.9 0.10 0.11 0.12 0.19 0.21 0.30 0.111 1.0 1.00 1.1 1.2 1.4 1.6 1.01 1.02
1.03 1.10 1.11 1.5 2.0 2.1 2.00 2.01 3.0 3.1 4.0 4.6 5.0 5.01 6.0 7.0 9.0 10.0 10.1 11.0 11.1 11.11 12.0 12.5 19.0 20.0 21.0 21.1 21.21
22.0 22.2 100.0 100.1 101.0 101.1 102.02 103.03 111.11 1000.0 1000000.0 1000000.1 2000000.00 1.011 1.001 2.011 1.000000000000000000001
""".split()
NEGATIVE = "-0 -1 -2 -3 -5 -11 -21 -100 -1000000 -1.0 -1.5 -0.1".split()
# Languages that are written in one script here and in another there, of those an app is likely to be translated to.
SCRIPTS = "az bs kk ky mn pa sd sr tg ug uz yue zh".split()
NUMBERS = [str(n) for n in range(201)] + LARGE + DECIMAL + NEGATIVE


def plurals():
    yield "# Made by make_languages.py with babel %s." % babel.__version__
    for start in range(0, len(NUMBERS), 25):
        yield "numbers " + " ".join(NUMBERS[start : start + 25])
    for name in sorted(locale_identifiers()):
        if "_" in name and name != "pt_PT":
            continue
        rule = Locale.parse(name).plural_form
        yield name.replace("_", "-") + " " + "".join(LETTERS[rule(Decimal(number))] for number in NUMBERS)


def tags():
    yield "# Made by make_languages.py with babel %s." % babel.__version__
    likely = get_global("likely_subtags")
    for name, full in sorted(likely.items()):
        parts = name.split("_")
        if len(parts) == 1 or len(parts) == 2 and len(parts[1]) != 4:
            language, script = full.split("_")[:2]
            usual = likely.get(parts[0], "").split("_")[1:2]
            if parts[0] in SCRIPTS and parts[0] == language and (len(parts) == 1 or [script] != usual):
                yield "script %s %s" % (name.replace("_", "-"), script)
    for name, parent in sorted(get_global("parent_exceptions").items()):
        if name.startswith(("es_", "pt_")):
            yield "parent %s %s" % (name.replace("_", "-"), parent.replace("_", "-"))
    for old in "iw in ji jw mo tl cmn sh".split():
        yield "renamed %s %s" % (old, get_global("language_aliases")[old].replace("_", "-"))


def directions():
    yield "# Made by make_languages.py with Unicode %s." % unicodedata.unidata_version
    told = {"R", "AL", "AN", "LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    start = None
    for point in range(sys.maxunicode + 2):
        is_told = point <= sys.maxunicode and unicodedata.bidirectional(chr(point)) in told
        if is_told and start is None:
            start = point
        elif not is_told and start is not None:
            yield "%04X %04X" % (start, point - 1)
            start = None


for make in (plurals, tags, directions):
    with open(os.path.join(HERE, make.__name__ + ".txt"), "w", encoding="ascii") as f:
        f.writelines(line + "\n" for line in make())
