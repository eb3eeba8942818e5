#!/usr/bin/env python3
"""Hold a program to case files: cases.py [--whole] PROGRAM [ARGS...] -- FILE.json...

The program is started once per file with the file's name as its last argument and answers a JSON object a line (the format
and what is compared: docs/spec/cases.md). Unless --whole is given it is handed a copy without `expect`, `about` and `group`.
Prints each failure and, last, `N passed, N failed`. Exit status 1 when a case failed, none was there, or the program did not end well.
"""

import base64
import os
import subprocess
import sys
import tempfile

import waxwing as w

COMPARED = (
    "outcome", "content", "before", "replay_unchecked", "payload_b64", "bundle", "key", "c", "gcm_key", "psk", "dkid",
)


def read(path):
    """The document, or None for a file of another format."""
    with open(path, encoding="utf-8") as f:
        doc = w.load(f.read())
    return doc if doc.get("format") == "waxwing-cases/1" else None


def bare(doc):
    """What is handed over: nothing that gives an answer away."""
    hidden = ("expect", "about", "group")
    return dict(doc, cases=[{k: v for k, v in case.items() if k not in hidden} for case in doc["cases"]])


def ask(program, doc, timeout=900):
    """{id: answer} from a program for a document in memory. ValueError when it does not answer properly."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json", prefix="waxwing-cases-") as f:
        f.write(w.ascii_json(w.compact(doc)))
        f.flush()
        done = subprocess.run(list(program) + [f.name], stdout=subprocess.PIPE, timeout=timeout)
    answers = {}
    for line in done.stdout.decode("utf-8").split("\n"):
        if line.strip():
            answer = w.load(line)
            if answer["id"] in answers:
                raise ValueError("%s answered twice" % answer["id"])
            answers[answer["id"]] = answer
    if done.returncode != 0:
        raise ValueError("ended with status %d" % done.returncode)
    return answers


def equal(a, b):
    """JSON equality: numbers as IEEE doubles, everything else exactly; true is not 1."""
    if isinstance(a, (w.Raw, int)) and isinstance(b, (w.Raw, int)) and not isinstance(a, bool) and not isinstance(b, bool):
        return float(a.token if isinstance(a, w.Raw) else a) == float(b.token if isinstance(b, w.Raw) else b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def difference(case, answer):
    """None, or what is wrong with an answer."""
    if answer is None:
        return "not answered"
    expected = dict(case["expect"])
    if "seal" in case and case.get("kind", "open") == "open":
        expected["payload_b64"] = case["payload_b64"]
    for name in COMPARED:
        if name == "replay_unchecked":
            if bool(expected.get(name)) != bool(answer.get(name)):
                return "replay_unchecked is %s" % answer.get(name)
        elif (name in expected) != (name in answer):
            return "%s is %s (outcome %s)" % (name, "missing" if name in expected else "not expected", answer.get("outcome"))
        elif name in expected and not equal(expected[name], answer[name]):
            return "%s: expected %.120s, got %.120s" % (name, shown(expected[name]), shown(answer[name]))
    return None


def shown(value):
    if isinstance(value, str) and len(value) > 200:
        try:
            return base64.b64decode(value, validate=True).decode("utf-8")[-200:]
        except ValueError:
            pass
    return w.compact(value)


def main():
    arguments = sys.argv[1:]
    whole = arguments[:1] == ["--whole"]
    if whole:
        arguments = arguments[1:]
    if "--" not in arguments or arguments[0] == "--" or arguments[-1] == "--":
        sys.exit(__doc__)
    middle = arguments.index("--")
    program, files = arguments[:middle], arguments[middle + 1:]
    passed = failed = 0
    for path in files:
        doc = read(path)
        if doc is None:
            print("%s: passed over, it is of another format" % os.path.basename(path))
            continue
        try:
            answers = ask(program, doc if whole else bare(doc))
        except (ValueError, KeyError, TypeError, OSError, subprocess.TimeoutExpired) as e:
            print("%s: %s" % (os.path.basename(path), e))
            failed += len(doc["cases"])
            continue
        for case in doc["cases"]:
            fault = difference(case, answers.pop(case["id"], None))
            if fault:
                failed += 1
                print("%s (%s): %s" % (case["id"], case.get("about", ""), fault))
            else:
                passed += 1
        for name in answers:
            failed += 1
            print("%s: there is no such case" % name)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
