#!/usr/bin/env python3
"""Answer a case file (docs/spec/cases.md) with the second implementation: answer_cases.py FILE.json

One JSON object a line on stdout, as `keyctl kat --json --cases FILE` prints. Nothing is compared here.
"""

import base64
import sys

import enrollment
import opener
import waxwing as w


def sealed(case):
    try:
        return {"outcome": "sealed", "payload_b64": base64.b64encode(w.seal_payload(case["seal"])).decode("ascii")}
    except w.DoesNotFit:
        return {"outcome": "does-not-fit"}
    except w.BadInput:
        return {"outcome": "bad-input"}


def sealed_bundle(case):
    try:
        return {"outcome": "sealed", "bundle": w.seal_bundle(case["seal_bundle"])}
    except w.BadInput:
        return {"outcome": "bad-input"}


def derived(case):
    given = case["derive"]
    if "jwk" in given:
        return {"outcome": "derived", "dkid": w.thumbprint(given["jwk"])}
    secret = w.stepped(w.unb64url(given["k"], 32), given["sub"], given["steps"])
    values = (secret, w.gcm_key(secret, given["sub"]), w.preshared_key(secret, given["sub"]))
    return dict(zip(("c", "gcm_key", "psk"), map(w.b64url, values)), outcome="derived")


def offered(case, rings):
    device = opener.Device(rings[case["ring"]])

    def one(step):
        if "bundle" in step:
            return device.accept(step["bundle"], step["env"])
        return device.open(base64.b64decode(step["payload_b64"]), step["env"], step.get("entry"))

    before = [one(step)["outcome"] for step in case.get("before", [])]
    answer = one(case)
    if "before" in case:
        answer["before"] = before
    if "seal" in case:
        answer["payload_b64"] = sealed(case).get("payload_b64")
    return answer


def answer(case, rings):
    kind = case.get("kind", "open")
    if kind == "seal":
        out = sealed(case)
    elif kind == "bundle-seal":
        out = sealed_bundle(case)
    elif kind == "derive":
        out = derived(case)
    elif kind == "enroll":
        out = enrollment.Backend().offer(base64.b64decode(case["document_b64"]))
    else:
        out = offered(case, rings)
    return dict(out, id=case["id"])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        doc = w.load(f.read())
    for case in doc["cases"]:
        print(w.compact(answer(case, doc.get("rings", {}))))


if __name__ == "__main__":
    main()
