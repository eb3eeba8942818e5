#!/usr/bin/env python3
"""Ask both implementations about near misses: differential.py [--count N] [--seed N] [--keep FOLDER] PROGRAM [ARGS...]

N cases (6,000 if not said) are made of every kind in turn: valid messages, bundles, requests and histories after small changes, most of
them authentic. PROGRAM answers case files (docs/spec/cases.md), in practice `keyctl kat --json --cases`, and the second implementation
answers them too: outcome, content, steps before and bytes have to be the same. Prints how often each kind met each outcome, and every
difference; with --keep each of these is written there as a case file of its own. Last line: `N passed, N failed`.
"""

import argparse
import collections
import os
import random
import sys

import answer_cases
import cases
import near_misses
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


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--count", type=int, default=6000)
    ap.add_argument("--seed", type=int, default=None)
    ap.add_argument("--keep")
    ap.add_argument("program", nargs=argparse.REMAINDER)
    o = ap.parse_args()
    if not o.program:
        sys.exit(__doc__)
    seed = o.seed if o.seed is not None else random.SystemRandom().randrange(2**32)
    print("seed: %d (again with --seed %d --count %d)" % (seed, seed, o.count))
    maker = near_misses.NearMisses(random.Random(seed))
    kinds, met, differing, made = list(maker.kinds), collections.defaultdict(collections.Counter), 0, 0
    while made < o.count:
        entries = []
        for made in range(made + 1, min(made + AT_ONCE, o.count) + 1):
            kind = kinds[made % len(kinds)]
            entries.append(({"id": "%06d" % made, **maker.case(kind)}, kind))
        doc = document([entry for entry, _ in entries], maker.rings)
        try:
            answers = cases.ask(o.program, doc)
        except ValueError as e:
            print("FAIL up to %06d: %s" % (made, e))
            differing += len(entries)
            continue
        for entry, (_, kind) in zip(doc["cases"], entries):
            ours = answer_cases.answer(entry, doc["rings"])
            met[kind][ours["outcome"]] += 1
            fault = cases.difference({"kind": entry.get("kind", "open"), "expect": {k: v for k, v in ours.items() if k != "id"}}, answers.get(entry["id"]))
            if fault:
                differing += 1
                print("FAIL %s, %s: %s" % (entry["id"], kind, fault))
                if o.keep:
                    with open(os.path.join(o.keep, entry["id"] + ".json"), "w", encoding="ascii") as f:
                        f.write(w.ascii_json(w.compact(document([dict(entry, expect={k: v for k, v in ours.items() if k != "id"})], doc["rings"]))))
    for kind, outcomes in met.items():
        print("%-16s %6d  %s" % (kind, sum(outcomes.values()), ", ".join("%s %d" % pair for pair in outcomes.most_common())))
    print("%d passed, %d failed" % (made - differing, differing))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
