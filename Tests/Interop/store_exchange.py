"""The stores of keyctl with the second implementation on the other side: a backend to a made-up phone, and a phone to a made-up backend.

Nothing is handed in here: keys, nonces and ephemeral keys are keyctl's own, and the time is now.
"""

import json
import os
import subprocess
import tempfile
import time

import cases
import enrollment
import odd
import opener
import waxwing as w
from near_misses import Drawn
from vector_base import DAY, Key, Phone

ENV = {"lock": "unlocked", "limit": 5120}


class Exchange:
    """`keyctl` is the program; `count` messages go each way for each algorithm."""

    def __init__(self, keyctl, rng, count, tally):
        self.keyctl, self.rng, self.count, self.tally = keyctl, rng, count, tally
        self.random = Drawn(rng)

    def run(self):
        with tempfile.TemporaryDirectory(prefix="waxwing-stores-") as self.folder:
            try:
                self.backend_to_phone()
                self.phone_from_backend()
            finally:
                for store in ("backend", "phone"):
                    if os.path.exists(self.path(store)):
                        self.ask(store, "lock", fine=(0, 1))

    def path(self, name):
        return os.path.join(self.folder, name)

    def ask(self, store, *words, given=None, fine=(0,)):
        """Standard output of a command on a store; ValueError where it ends with another status."""
        done = subprocess.run(
            [self.keyctl, *words, "--store", self.path(store), "--quiet"], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        if done.returncode not in fine:
            raise ValueError("%s ended with %d: %s" % (words[0], done.returncode, done.stderr.decode("utf-8").strip()))
        return done.stdout.decode("utf-8")

    def request(self, conversation):
        rng = self.rng
        out = {"conversation": conversation, "body": odd.text(rng, rng.choice((5, 60, 3000)))}
        if rng.random() < 0.5:
            out["title"] = odd.text(rng, 20)
        if rng.random() < 0.3:
            out["data"] = {"n": rng.randrange(2**53), "o": [None, True, odd.text(rng, 5)]}
        return out

    # keyctl is the backend

    def backend_to_phone(self):
        self.ask("backend", "init", "--role", "sealer", "--key-file", self.path("key"))
        phone = Phone(self.random)
        self.phone = opener.Device(phone.ring([], allow_split=True))
        document = w.compact({"jwk": phone.public, "enrollment_secret": phone.enrollment_secret, "name": "made up"})
        enrolled = self.ask("backend", "device", "enroll", "-", given=document.encode("utf-8")).strip()
        self.judge("our backend enrolls a device of the second implementation", "thumbprint", enrolled == phone.dkid)
        for alg in ("dir", "HPKE-7"):
            self.ask("backend", "provision", "--conversation", alg, "--alg", alg, "--device", phone.dkid)
        self.deliver(phone.dkid)
        self.ask("backend", "provision", "--conversation", "split", "--alg", "split", "--until", str(int(time.time()) + 30 * DAY))
        key = json.loads(self.ask("backend", "split", "export", "--conversation", "split", "--output", "-"))
        self.phone.split_keys = [{"sub": key["sub"], "k": key["k"], "state": "active", "open_until": key["until"], "accessible": "after-first-unlock"}]
        for turn in range(self.count):
            # In the middle a ratchet, which the phone follows by itself, and a rekey, which takes bundles.
            for alg in ("dir", "HPKE-7"):
                if turn == self.count // 3:
                    self.ask("backend", "rotate", "--conversation", alg)
                if turn == 2 * self.count // 3:
                    self.ask("backend", "rotate", "--conversation", alg, "--rekey")
            if turn == 2 * self.count // 3:
                self.deliver(phone.dkid)
            for alg in ("dir", "HPKE-7", "split"):
                self.push(alg, turn, phone.dkid)

    def deliver(self, device):
        for bundle in json.loads(self.ask("backend", "bundle", "--device", device, "--json"))["bundles"]:
            answer = self.phone.accept(bundle["bundle"], dict(ENV, now=int(time.time())))
            good = answer["outcome"] == "installed" and answer["key"]["kid"] == bundle["kid"] and answer["key"]["seq"] == bundle["seq"]
            self.judge("the second implementation installs our bundles", bundle["kid"], good)
            self.ask("backend", "bundle", "ack", "--device", device, "--seq", str(bundle["seq"]))

    def push(self, alg, turn, device):
        request = {"conversation": "split", "body": odd.text(self.rng, 200)} if alg == "split" else self.request(alg)
        if alg != "split":
            request["platform"] = self.rng.choice(("apns", "fcm"))
        if alg == "HPKE-7":
            request["device"] = device
        payload = self.ask("backend", "seal", "--request", "-", given=w.compact(request).encode("utf-8")).encode("utf-8")
        message = w.load(payload.decode("utf-8"))
        if "message" in message:
            payload = w.compact(message["message"]["data"]).encode("utf-8")
        name = "%s %d" % (alg, turn)
        altered = self.altered(payload)
        self.judge("it refuses them with a character changed", name, self.phone.open(altered, dict(ENV, now=int(time.time())))["outcome"] not in ("opened", "duplicate"))
        answer = self.phone.open(payload, dict(ENV, now=int(time.time())))
        fault = None if answer["outcome"] == "opened" else answer["outcome"]
        self.judge("the second implementation opens our store's pushes", name, not fault and self.same(request, answer["content"]), fault)
        if alg != "split":
            again = self.phone.open(payload, dict(ENV, now=int(time.time())))["outcome"]
            self.judge("and finds each a duplicate", name, again == "duplicate", again)

    def same(self, request, content):
        sent = {name: value for name, value in request.items() if name in opener.CONTENT}
        if content.get("trunc"):
            content = {name: value for name, value in content.items() if name != "trunc"}
            if not sent["body"].startswith(content["body"][:-1]):
                return False
            sent["body"] = content["body"]
        return cases.equal(sent, content)

    def altered(self, payload):
        """With a character of the sealed part changed for another of its alphabet."""
        at = payload.rindex(b"encrypted_payload") + 40 + self.rng.randrange(20)
        return payload[:at] + (b"A" if payload[at:at + 1] != b"A" else b"B") + payload[at + 1:]

    # keyctl is the phone

    def phone_from_backend(self):
        self.ask("phone", "init", "--role", "device", "--key-file", self.path("key of the phone"))
        document = self.ask("phone", "device", "new", "--name", "x" + odd.text(self.rng, 4).replace("\0", "")).encode("utf-8")
        outcome = enrollment.Backend().offer(document)["outcome"]
        self.judge("the second implementation enrolls our device", "its document", outcome == "enrolled", outcome)
        document = w.load(document.decode("utf-8"))
        keys = [Key(self.random, "from-" + alg.lower(), alg, self.rng.randrange(60000)) for alg in ("dir", "HPKE-7")]
        for seq, key in enumerate(keys, 1):
            self.install(document, key, seq)
        for turn in range(self.count):
            for seq, key in enumerate(keys):
                if turn == self.count // 2:
                    # A step ahead by a bundle; the steps in between are the phone's own.
                    key.secrets[key.epoch + 600], key.epoch = w.stepped(key.secret(), key.cid, 600), key.epoch + 600
                    self.install(document, key, 10 + seq)
                self.arrive(document, key, key.epoch + self.rng.choice((0, 0, 1, 3)), turn)

    def install(self, document, key, seq):
        now = int(time.time())
        request = {
            "device": document["jwk"], "enrollment_secret": document["enrollment_secret"], "sub": key.cid, "jwe_alg": key.alg, "kid": key.kid(), "k": key.k(), "seq": seq, "iat": now, "exp": now + DAY,
            "accessible": "after-first-unlock", "ephemeral": w.b64url(self.random.scalar()),
        }
        text = w.seal_bundle(request)
        for outcome in ("installed", "replayed"):
            answer = json.loads(self.ask("phone", "accept", "--json", given=text.encode("ascii") + b"\n", fine=(0, 65)))["bundles"][0]
            self.judge("our phone installs the second implementation's bundles, once", "%s %s" % (key.kid(), outcome), answer["outcome"] == outcome, answer["outcome"])

    def arrive(self, document, key, n, turn):
        now = int(time.time())
        claims = {"jti": self.random.text(16), "iat": now, "sub": key.cid, **{k: v for k, v in self.request("").items() if k != "conversation"}}
        spec = {
            "rendering": self.rng.choice(("apns", "fcm")), "alg": key.alg, "key": {"sub": key.cid, "kid": key.kid(n), "k": key.k(n)}, "claims": claims, "pad": self.rng.choice(("bucket", "full", "none")), "limit": 4096,
            "type": "chat", "body": "New message", "iv": self.random.text(12), "device": document["jwk"], "ephemeral": w.b64url(self.random.scalar()),
        }
        payload = w.seal_payload(spec)
        name = "%s, epoch %d, %d" % (key.alg, n, turn)
        refused = json.loads(self.ask("phone", "open", "--json", given=self.altered(payload), fine=(1,)))["outcome"]
        self.judge("it refuses them with a character changed (phone)", name, refused not in ("opened", "duplicate"), refused)
        answer = w.load(self.ask("phone", "open", "--json", given=payload, fine=(0, 1)))
        fault = None if answer["outcome"] == "opened" else answer["outcome"]
        self.judge("our phone opens the second implementation's pushes", name, not fault and self.same({"body": "", **claims}, answer["content"]), fault)

    def judge(self, row, name, good, fault=None):
        self.tally.judge(row, name, None if good else fault or "other than it should be")
