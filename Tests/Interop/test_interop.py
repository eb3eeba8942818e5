#!/usr/bin/env python3
"""Waxwing and third-party libraries open each other's sealed payloads.

  test_interop.py [--count N] [--seed N] [--also FILE.json]... [PROGRAM [ARGS...]]

PROGRAM answers case files (docs/spec/cases.md), in practice `keyctl kat --json --cases`; without one the second implementation
beside this file answers. Per library N random messages go each way (200 if not said) and each goes a second time with one bit
flipped, which both sides have to refuse. Then the libraries open every positive case of Tests/Vectors and of --also files.
Of stores N / 10 messages of each algorithm go each way between PROGRAM, asked without ARGS, and the second implementation.
Attachments of lengths around each boundary, and N / 10 random ones, are exchanged with Tink: PROGRAM is asked for those by
`PROGRAM attachment`, without ARGS.
Prints the seed first and `N passed, N failed` last.
"""

import argparse
import base64
import json
import os
import random
import sys

import attachment_peers
import cases
import odd
import peers
import store_exchange
import waxwing as w

HERE = os.path.dirname(os.path.abspath(__file__))
NOW = 1900000000


class Tally:
    def __init__(self):
        self.passed, self.failed, self.rows = 0, 0, {}

    def judge(self, row, name, fault):
        counts = self.rows.setdefault(row, [0, 0])
        if fault:
            self.failed += 1
            counts[1] += 1
            print("FAIL %s, %s: %s" % (row, name, fault))
        else:
            self.passed += 1
            counts[0] += 1


def random_claims(rng, cid):
    claims = {"jti": w.b64url(rng.randbytes(16)), "iat": NOW - rng.randrange(1000), "sub": cid}
    if rng.random() < 0.7:
        claims["exp"] = NOW + 1 + rng.randrange(86400)
    claims["body"] = odd.text(rng, rng.choice((5, 60, 250, 3000)))
    if rng.random() < 0.7:
        claims["title"] = odd.text(rng, 20)
    if rng.random() < 0.3:
        claims["subtitle"] = odd.text(rng, 10)
    if rng.random() < 0.3:
        claims["loc_body"] = {"key": "k" + odd.text(rng, 4), "args": {"a": odd.text(rng, 6), "b": ""}}
    if rng.random() < 0.3:
        claims["thread"] = "t%d" % rng.randrange(99)
    if rng.random() < 0.3:
        claims["image"] = {"url": "https://img.example/%d" % rng.randrange(10**9), "sha256": w.b64url(rng.randbytes(32))}
    if rng.random() < 0.3:
        claims["data"] = {"n": rng.randrange(2**53), "o": {"p": [None, True, odd.text(rng, 5)]}}
    return claims


def flipped(rng, text, turn):
    """(compact string with one bit of one decoded part inverted, index of the part)"""
    parts = text.split(".")
    filled = [i for i, p in enumerate(parts) if p]
    i = filled[turn % len(filled)]
    data = bytearray(w.unb64url(parts[i]))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    parts[i] = w.b64url(bytes(data))
    return ".".join(parts), i


def same_claims(sent, plaintext):
    """None, or how the plaintext differs from the claims that were to be sealed."""
    got = w.load(plaintext.decode("utf-8"))
    if got.get("trunc") and "trunc" not in sent:
        body = got.pop("body")
        if not body.endswith("\u2026") or not sent["body"].startswith(body[:-1]):
            return "cut body is not a beginning of the body"
        got.pop("trunc")
        sent = {k: v for k, v in sent.items() if k != "body"}
    return None if cases.equal(sent, got) else "claims differ"


class Exchange:
    def __init__(self, program, rng, count, tally):
        self.program, self.rng, self.count, self.tally = program, rng, count, tally
        scalar = w.b64url(self.scalar())
        point = w.point_of(w.private_key(w.unb64url(scalar)))
        self.public = w.public_jwk(point)
        self.device = dict(self.public, d=scalar)
        self.ring = {"device": {"jwk": self.device, "enrollment_secret": w.b64url(rng.randbytes(32))}, "allow_split": False, "keys": []}
        self.keys = {}
        for alg in ("dir", "HPKE-7"):
            cid, secret = "interop-" + alg.lower(), rng.randbytes(32)
            kid = "%s.%d" % (w.b64url(rng.randbytes(12)), rng.randrange(65536))
            self.keys[alg] = peers.Keys(cid, kid, secret, self.device)
            self.ring["keys"].append({
                "sub": cid, "jwe_alg": alg, "kid": kid, "k": w.b64url(secret), "state": "active", "open_until": None,
                "accessible": "after-first-unlock", "older": []})

    def scalar(self):
        return (1 + self.rng.randrange(w.P256_ORDER - 1)).to_bytes(32, "big")

    def document(self, entries):
        return {"format": "waxwing-cases/1", "set": "interop", "count": len(entries), "rings": {"peer": self.ring}, "cases": entries}

    def seal_case(self, name, alg, claims):
        ring_key = next(k for k in self.ring["keys"] if k["jwe_alg"] == alg)
        rendering = self.rng.choice(("apns", "fcm"))
        seal = {
            "rendering": rendering, "alg": alg, "key": {"sub": ring_key["sub"], "kid": ring_key["kid"], "k": ring_key["k"]}, "claims": claims,
            "pad": self.rng.choice(("bucket", "full", "none")), "limit": 4096, "type": "chat", "body": "Something arrived",
        }
        if rendering == "apns":
            seal["aps"] = {"alert": {"title": "Waxwing", "body": "Something arrived"}}
        if alg == "dir":
            seal["iv"] = w.b64url(self.rng.randbytes(12))
        else:
            seal["device"], seal["ephemeral"] = self.public, w.b64url(self.scalar())
        return {"id": name, "kind": "seal", "seal": seal}

    def open_case(self, name, text):
        payload = w.compact({"encrypted_payload": text}).encode("utf-8")
        env = {"now": NOW, "lock": "unlocked", "seen": [], "replay": "ok", "limit": 16384}
        return {"id": name, "ring": "peer", "env": env, "payload_b64": base64.b64encode(payload).decode("ascii")}

    def to_peer(self, peer):
        """We seal, the library opens."""
        keys, row = self.keys[peer.alg], "%s opens ours" % peer.name
        entries = [self.seal_case("%s-%d" % (peer.name, i), peer.alg, random_claims(self.rng, keys.cid)) for i in range(self.count)]
        answers = cases.ask(self.program, self.document(entries))
        bits = []
        for turn, entry in enumerate(entries):
            name, answer = entry["id"], answers.get(entry["id"], {})
            if answer.get("outcome") != "sealed":
                self.tally.judge(row, name, "sealing ended with %s" % answer.get("outcome"))
                continue
            payload = base64.b64decode(answer["payload_b64"])
            fault = None if payload == w.seal_payload(entry["seal"]) else "other bytes"
            self.tally.judge("ours is byte for byte the second implementation's (%s)" % peer.alg, name, fault)
            text = json.loads(payload)["encrypted_payload"]
            try:
                fault = same_claims(entry["seal"]["claims"], peer.open(keys, text))
            except Exception as e:
                fault = "refused: %s %s" % (type(e).__name__, e)
            self.tally.judge(row, name, fault)
            altered, part = flipped(self.rng, text, turn)
            try:
                peer.open(keys, altered)
                fault = "opened with a bit of part %d flipped" % part
            except Exception:
                fault = None
            self.tally.judge("%s refuses ours with a bit flipped" % peer.name, name, fault)
            bits.append((name + "-bit", altered, part))
        self.we_refuse("we refuse ours with a bit flipped (%s round)" % peer.name, bits)

    def from_peer(self, peer):
        """The library seals, we open."""
        keys, row = self.keys[peer.alg], "we open %s's" % peer.name
        entries, sent, bits = [], {}, []
        for turn in range(self.count):
            name = "%s-%d" % (peer.name, turn)
            claims = random_claims(self.rng, keys.cid)
            claims["body"] = claims["body"][:400]
            text = peer.seal(keys, w.compact(claims).encode("utf-8") + b" " * self.rng.choice((0, 0, 7, 300)), self.rng)
            entries.append(self.open_case(name, text))
            sent[name] = claims
            altered, part = flipped(self.rng, text, turn)
            bits.append((name + "-bit", altered, part))
            try:
                peer.open(keys, altered)
                fault = "opened with a bit of part %d flipped" % part
            except Exception:
                fault = None
            self.tally.judge("%s refuses its own with a bit flipped" % peer.name, name, fault)
        answers = cases.ask(self.program, self.document(entries))
        for name, claims in sent.items():
            answer = answers.get(name, {})
            expected = {k: v for k, v in claims.items() if k not in ("jti", "iat", "exp", "sub")}
            fault = None
            if answer.get("outcome") != "opened":
                fault = "outcome %s" % answer.get("outcome")
            elif not cases.equal(expected, answer.get("content")):
                fault = "content differs"
            self.tally.judge(row, name, fault)
        self.we_refuse("we refuse %s's with a bit flipped" % peer.name, bits)

    def we_refuse(self, row, bits):
        answers = cases.ask(self.program, self.document([self.open_case(name, text) for name, text, _ in bits]))
        for name, text, part in bits:
            outcome = answers.get(name, {}).get("outcome")
            allowed = ("not-authentic",)
            if part == 0:
                allowed = ("malformed", "unsupported", "unknown-key", "not-authentic")
            elif part == 1 and w.unb64url(text.split(".")[1])[0] != 4:
                allowed = ("malformed",)
            self.tally.judge(row, name, None if outcome in allowed else "outcome %s for a bit of part %d" % (outcome, part))


def positive_cases(path, tally):
    """Every pushed `dir` and `HPKE-7` case that opens, opened by the libraries with the key the ring gives."""
    doc = cases.read(path)
    for case in doc["cases"]:
        if case.get("kind", "open") != "open" or case["expect"]["outcome"] != "opened" or "before" in case:
            continue
        text = w.load(base64.b64decode(case["payload_b64"]).decode("utf-8"))["encrypted_payload"]
        if not isinstance(text, str):
            continue
        header = json.loads(w.unb64url(text.split(".")[0]))
        kid = header["kid"] if header["alg"] == "dir" else w.unb64url(header["psk_id"]).decode("ascii")
        handle, n = w.parse_kid(kid)
        ring = doc["rings"][case["ring"]]
        held = {}
        for key in ring["keys"]:
            for entry in [key] + key.get("older", []):
                if w.parse_kid(entry["kid"])[0] == handle and w.parse_kid(entry["kid"])[1] <= n:
                    held[w.parse_kid(entry["kid"])[1]] = (key["sub"], entry["k"])
        nearest = max(held)
        cid, k = held[nearest]
        keys = peers.Keys(cid, kid, w.stepped(w.unb64url(k), cid, n - nearest), ring["device"]["jwk"])
        for peer in peers.ALL:
            if peer.alg != header["alg"]:
                continue
            try:
                claims = w.load(peer.open(keys, text).decode("utf-8"))
                shown = {k: v for k, v in claims.items() if k in case["expect"]["content"]}
                fault = None if set(case["expect"]["content"]) <= set(shown) and shown.get("body") == case["expect"]["content"].get("body") else "claims differ"
            except Exception as e:
                fault = "refused: %s %s" % (type(e).__name__, e)
            tally.judge("%s opens %s" % (peer.name, os.path.basename(path)), case["id"], fault)


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--count", type=int, default=200)
    ap.add_argument("--seed", type=int, default=None)
    ap.add_argument("--also", action="append", default=[])
    ap.add_argument("program", nargs=argparse.REMAINDER)
    o = ap.parse_args()
    seed = o.seed if o.seed is not None else random.SystemRandom().randrange(2**32)
    program = o.program or [sys.executable, os.path.join(HERE, "answer_cases.py")]
    print("seed: %d (again with --seed %d)" % (seed, seed))
    print("held to it: " + " ".join(program))
    tally = Tally()
    exchange = Exchange(program, random.Random(seed), o.count, tally)
    for peer in peers.ALL:
        for way in (exchange.to_peer, exchange.from_peer):
            try:
                way(peer)
            except (ValueError, OSError) as e:
                tally.judge("%s, %s" % (peer.name, way.__name__), "the whole round", str(e))
    sealer = [os.path.abspath(program[0]), "attachment"] if o.program else [sys.executable, os.path.join(HERE, "attachment.py")]
    try:
        attachment_peers.Exchange(sealer, random.Random(seed), o.count // 10, tally).run()
    except (ValueError, OSError) as e:
        tally.judge("attachments", "the whole round", str(e))
    if o.program:
        try:
            store_exchange.Exchange(os.path.abspath(program[0]), random.Random(seed), o.count // 10, tally).run()
        except (ValueError, OSError) as e:
            tally.judge("stores", "the whole round", str(e))
    for path in [os.path.join(HERE, "..", "Vectors", "open-positive.json")] + o.also:
        positive_cases(path, tally)
    for row, (passed, failed) in tally.rows.items():
        print("%-62s %4d passed, %d failed" % (row, passed, failed))
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    sys.exit(1 if tally.failed else 0)


if __name__ == "__main__":
    main()
