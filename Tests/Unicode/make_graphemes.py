#!/usr/bin/env python3
"""Write graphemes.txt: where Python's `regex` module (`\\X`, UAX 29) breaks sample strings, in the form of
GraphemeBreakTest.txt.  Every pair of the samples below, and random strings of 3 to 10 of them.

  pip install regex && ./make_graphemes.py > graphemes.txt
"""
import random

import regex

SAMPLES = [
    0x0D, 0x0A, 0x01, 0x1F, 0x200B, 0x2028, 0xE0001,  # CR, LF, Control
    0x0308, 0x0300, 0x093C, 0x094D, 0x0D4D, 0x09CD, 0x200C, 0xFE0F, 0x20E3, 0x1F3FB, 0xE0067,  # Extend, linkers among them
    0x200D, 0x0903, 0x0E33, 0x0600, 0x110BD,  # ZWJ, SpacingMark, Prepend
    0x1100, 0x1160, 0x11A8, 0xAC00, 0xAC01,  # L, V, T, LV, LVT
    0x1F1E6, 0x1F1EB, 0x1F600, 0x1F468, 0x00A9, 0x2764,  # Regional_Indicator, Extended_Pictographic
    0x61, 0x22, 0x5C, 0x2026, 0x5D0, 0x627, 0x0915, 0x0D15, 0x0995, 0x4E00, 0x1CCF0,  # others, Indic consonants among them
]


def line(points):
    text = "".join(map(chr, points))
    parts = [" × ".join("%04X" % ord(c) for c in cluster) for cluster in regex.findall(r"\X", text)]
    return "÷ " + " ÷ ".join(parts) + " ÷"


def main():
    print("# Made by make_graphemes.py with regex %s. ÷ is a break between extended grapheme clusters, × is none." % regex.__version__)
    for first in SAMPLES:
        for second in SAMPLES:
            print(line([first, second]))
    source = random.Random(29)
    for _ in range(3000):
        print(line(source.choices(SAMPLES, k=source.randint(3, 10))))


main()
