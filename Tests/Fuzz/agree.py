#!/usr/bin/env python3
"""Ask the second implementation what a fuzzer was answered: agree.py NAME RINGS < EXCHANGES

Reads the lines that the fuzzer prints of its inputs and answers each with the code of Tests/Interop. Differences are printed, at most
ten. The last line is `N passed, N failed, N accepted`; exit status 0 only when nothing failed.
"""

import base64
import hashlib
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Interop"))

import attachment  # noqa: E402
import cases  # noqa: E402
import opener  # noqa: E402
import waxwing as w  # noqa: E402


def written(read):
    """An answer that is what was read, written again; null for what is refused."""
    def answer(exchange, _):
        try:
            return base64.b64encode(read(base64.b64decode(exchange["input_b64"]))).decode("ascii")
        except (ValueError, RecursionError):
            return None
    return answer


def strict_json(data):
    return w.utf8(w.compact(opener.strict_json(data)))


def base64url(data):
    return w.unb64url(data.decode("ascii"))


def device(ring, exchange):
    env = exchange["env"]
    return opener.Device(dict(ring, allow_split=env["allow_split"])), env


def payload(exchange, rings):
    phone, env = device(rings["messages"], exchange)
    return phone.open(base64.b64decode(exchange["payload_b64"]), env)


def message(exchange, rings):
    phone, env = device(rings["messages"], exchange)
    text = base64.b64decode(exchange["text_b64"])
    if len(text) > 8192:
        return {"outcome": "too-large"}
    try:
        return phone.open_jwe(text.decode("utf-8"), env)
    except opener.Refused as refusal:
        return {"outcome": str(refusal)}


def bundle(exchange, rings):
    phone, env = device(rings["bundles"], exchange)
    return phone.accept(base64.b64decode(exchange["text_b64"]).decode("utf-8"), env)


def file(exchange, _):
    try:
        plain = attachment.open_sealed(w.unb64url(exchange["key"]), base64.b64decode(exchange["file_b64"]))
        return w.b64url(hashlib.sha256(plain).digest())
    except attachment.Refused as refusal:
        return str(refusal)


ANSWERS = {
    "payload": payload, "json": written(strict_json), "jwe": message, "base64url": written(base64url), "claims": message, "bundle": bundle,
    "attachment": file,
}
REFUSALS = (None, "malformed", "not-authentic")


def is_accepted(answer):
    return answer["outcome"] in ("opened", "installed") if isinstance(answer, dict) else answer not in REFUSALS


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ANSWERS:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as f:
        rings = w.load(f.read())
    passed = failed = accepted = 0
    for line in sys.stdin.buffer:
        exchange = w.load(line.decode("utf-8"))
        answer = ANSWERS[sys.argv[1]](exchange, rings)
        if cases.equal(answer, exchange["answer"]):
            passed += 1
            accepted += is_accepted(answer)
            continue
        failed += 1
        if failed <= 10:
            print("here %.300s, there %.300s" % (w.compact(exchange["answer"]), w.compact(answer)))
            print("  of %s" % json.dumps({k: v for k, v in exchange.items() if k.endswith("_b64")})[:4000])
    print("%d passed, %d failed, %d accepted" % (passed, failed, accepted))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
