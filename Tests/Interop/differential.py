#!/usr/bin/env python3
"""Ask both implementations about near misses:

  differential.py [--count N] [--seed N] [--keep FOLDER] PROGRAM [ARGS...]
  differential.py [--count N] [--seed N] --self-test

N cases (6,000 if not said) are made of every kind in turn: valid messages, bundles, requests and histories after small changes, most of
them authentic. PROGRAM answers case files (docs/spec/cases.md), in practice `keyctl kat --json --cases`, and the second implementation
answers them too: outcome, content, steps before and bytes have to be the same. Prints how often each kind met each outcome, and every
difference; with --keep each of these is written there as a case file of its own. --self-test plants faults in the second
implementation, one at a time, and fails unless the cases tell it from itself. Last line: `N passed, N failed`.
"""

import argparse
import collections
import os
import random
import sys

import answer_cases
import cases
import near_misses
import planted_faults
import waxwing as w

AT_ONCE = 1000


def document(entries, rings):
    """A file; a history brings its ring along."""
    rings, bare = dict(rings), []
    for entry in entries:
        if isinstance(entry.get("ring"), dict):
            rings[entry["id"]] = entry["ring"]
            entry = dict(entry, ring=entry["id"])
        bare.append(entry)
    used = {entry["ring"] for entry in bare if "ring" in entry}
    return {"format": "waxwing-cases/1", "set": "near misses", "count": len(bare), "rings": {name: ring for name, ring in rings.items() if name in used}, "cases": bare}


class Cases:
    """Near misses of every kind in turn."""

    def __init__(self, seed):
        self.maker, self.made = near_misses.NearMisses(random.Random(seed)), 0
        self.kinds = list(self.maker.kinds)

    def document(self, count):
        """(a file of so many, {id: kind})"""
        entries, kinds = [], {}
        for self.made in range(self.made + 1, self.made + count + 1):
            kind = self.kinds[self.made % len(self.kinds)]
            entries.append({"id": "%06d" % self.made, **self.maker.case(kind)})
            kinds[entries[-1]["id"]] = kind
        return document(entries, self.maker.rings), kinds


def answered(entry, rings):
    """What the second implementation makes of it; its own failure is an answer that nobody else gives."""
    try:
        return {name: value for name, value in answer_cases.answer(entry, rings).items() if name != "id"}
    except Exception as e:
        return {"outcome": "%s: %s" % (type(e).__name__, e)}


def compare(program, seed, count, keep):
    """How many differ."""
    near, met, differing = Cases(seed), collections.defaultdict(collections.Counter), 0
    while near.made < count:
        doc, kinds = near.document(min(AT_ONCE, count - near.made))
        try:
            answers = cases.ask(program, doc)
        except ValueError as e:
            print("FAIL up to %06d: %s" % (near.made, e))
            differing += len(kinds)
            continue
        for entry in doc["cases"]:
            ours, kind = answered(entry, doc["rings"]), kinds[entry["id"]]
            met[kind][ours["outcome"]] += 1
            fault = cases.difference({**entry, "expect": ours}, answers.get(entry["id"]))
            if fault:
                differing += 1
                print("FAIL %s, %s: %s" % (entry["id"], kind, fault))
                if keep:
                    with open(os.path.join(keep, entry["id"] + ".json"), "w", encoding="ascii") as f:
                        f.write(w.ascii_json(w.compact(document([{**entry, "expect": ours}], doc["rings"]))))
    for kind, outcomes in met.items():
        print("%-16s %6d  %s" % (kind, sum(outcomes.values()), ", ".join("%s %d" % pair for pair in outcomes.most_common())))
    return differing


def self_test(seed, count):
    """How many planted faults the cases do not find, and how many there are."""
    doc, kinds = Cases(seed).document(count)
    right = {entry["id"]: answered(entry, doc["rings"]) for entry in doc["cases"]}
    unfound = 0
    for about, where, name, value in planted_faults.FAULTS:
        with planted_faults.planted(where, name, value):
            hit = next((entry["id"] for entry in doc["cases"] if answered(entry, doc["rings"]) != right[entry["id"]]), None)
        print("%s: %s" % ("found by case %s, %s" % (hit, kinds[hit]) if hit else "NOT FOUND", about))
        unfound += not hit
    return unfound, len(planted_faults.FAULTS)


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--count", type=int, default=6000)
    ap.add_argument("--seed", type=int, default=None)
    ap.add_argument("--keep")
    ap.add_argument("--self-test", action="store_true")
    ap.add_argument("program", nargs=argparse.REMAINDER)
    o = ap.parse_args()
    if bool(o.program) == o.self_test:
        sys.exit(__doc__)
    seed = o.seed if o.seed is not None else random.SystemRandom().randrange(2**32)
    print("seed: %d (again with --seed %d --count %d)" % (seed, seed, o.count))
    failed, count = self_test(seed, o.count) if o.self_test else (compare(o.program, seed, o.count, o.keep), o.count)
    print("%d passed, %d failed" % (count - failed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
