"""The main path with the real program, both roles, and every wrong turn we could think of; all of it with --verbose."""

import base64
import json
import os
import signal

import store_secrets
from steps import Steps, base64url, outcome, unbase64url
from upkeep import Upkeep
from wrong_turns import WrongTurns

INTERRUPT = b"\x03"


class Walk(Steps, Upkeep, WrongTurns):
    """From empty folders to stores that are locked again."""

    def run(self):
        try:
            self.walk()
        finally:
            self.end()

    def walk(self):
        self.make_stores()
        self.enroll()
        self.keychain()
        self.provision()
        self.deliver_badly()
        self.deliver(self.phone, self.phone_id)
        self.deliver(self.tablet, self.tablet_id)
        self.push()
        self.wrong_requests()
        self.rotate()
        self.members()
        self.split()
        self.audit()
        self.answer_cases()
        self.lock()
        self.upkeep()
        self.mistakes()
        self.kills()
        self.damage()

    def make_stores(self):
        for path, role in ((self.backend, "sealer"), (self.phone, "device"), (self.tablet, "device")):
            more, words = self.unlocking(path)
            cost = ("--argon2id", "1,8") if self.uses_passphrase[path] else ()
            init = ("init", "--store", path, "--role", role, *cost, *words)
            self.keyctl(*init, "--dry-run", **more)
            if path == self.tablet:
                # On a terminal, twice; first two that are not the same.
                right = self.passphrases[path] + b"\n"
                for answers, status in (
                    ([right, self.wrong + b"\n"], 65), ([right[:-1] + INTERRUPT], -signal.SIGINT), ([right, right[:-1] + INTERRUPT], -signal.SIGINT),
                    ([right, right], 0),
                ):
                    finished = self.recorder.type(init, answers, environment={"WAXWING_SESSION_HOLDER": self.holder})
                    self.expect(finished, init, status)
            else:
                self.keyctl(*init, "--audit-key", path + ".audit", **more)
                self.learn_audit_key(path + ".audit")
            self.recorder.stores.append(store_secrets.Store(
                os.path.basename(path), path, passphrase=self.passphrases[path], key_file=self.key_files[path]))
            self.recorder.collect()
            self.keyctl(*init, status=73, **more)
            self.keyctl("status", "--store", path)
            self.keyctl("status", "--store", path, "--json")
        if self.backend_by_passphrase:
            self.keyctl("config", "set", "--store", self.backend, "padding", "full")
        self.keyctl("config", "set", "--store", self.phone, "placeholder.body", "Something is there")
        self.keyctl("config", "set", "--store", self.phone, "placeholder.body", "--reset", "--dry-run")
        for path in (self.backend, self.phone):
            self.keyctl("config", "get", "--store", path)

    def enroll(self):
        ids = []
        for path in (self.phone, self.tablet):
            self.keyctl("device", "show", "--store", path, status=66)
            self.keyctl("device", "new", "--store", path, "--name", "A phone", "--dry-run", label="device new, rehearsed")
            document = self.keyctl("device", "new", "--store", path, "--name", "A phone").stdout
            self.keyctl("device", "new", "--store", path, "--name", "Again", status=73, label="device new, refused")
            self.keyctl("device", "show", "--store", path)
            self.keyctl("device", "show", "--store", path, "--json")
            file = self.input("enrollment", document)
            self.keyctl("device", "enroll", "--store", self.backend, file, "--dry-run")
            ids.append(self.keyctl("device", "enroll", "--store", self.backend, file).line)
            self.keyctl("device", "enroll", "--store", self.backend, stdin=document)
        self.phone_id, self.tablet_id = ids
        self.documents = {}
        self.refuse_documents(document)
        self.keyctl("device", "list", "--store", self.backend)
        self.keyctl("device", "list", "--store", self.backend, "--json")
        self.keyctl("device", "show", "--store", self.backend, self.phone_id[:6], label="device show, of a sealer")

    def keychain(self):
        """Items of the phone, which no command of keyctl adds: keychain-probe does, told on its standard input."""
        if self.recorder.keychain_probe is None:
            return
        classes = ("when-unlocked", "after-first-unlock-this-device-only", "when-passcode-set-this-device-only")
        values = [self.secrets.text("item value", "item %d, %s" % (number, self.name), is_plain=True) for number in range(4)]
        lines = ["add mail %s %s %s" % (name, value, name) for name, value in zip(classes, values)]
        lines += ["touch mail %s" % name for name in classes] + ["search mail", "update mail %s %s" % (classes[0], values[3])]
        lines += ["move mail %s after-first-unlock" % classes[0], "delete mail %s" % classes[1], "lock", "touch mail %s" % classes[0]]
        more, words = self.unlocking(self.phone)
        finished = self.recorder.run(
            [self.phone], stdin="\n".join(lines).encode("ascii") + b"\n", program=self.recorder.keychain_probe, verbose=False,
            label="keychain-probe", environment={"WAXWING_SESSION_HOLDER": self.holder})
        answers = finished.stdout.split(b"\n")[:-1]
        if len(answers) != len(lines) or not all(answer.split(b" ")[0] == b"ok" for answer in answers):
            self.recorder.faults.append("step %d, keychain-probe (%s): not every command was done" % (self.recorder.step, self.name))
        self.keyctl("unlock", "--store", self.phone, *words, **more)

    def provision(self):
        both = ("--device", self.phone_id, "--device", self.tablet_id)
        for words in (
            ("chat", "--alg", "dir", *both),
            ("each", "--alg", "HPKE-7", *both),
            ("bank", "--device", self.phone_id, "--accessible", "when-unlocked-this-device-only"),
            ("legacy", "--alg", "split", "--until", "2100-01-01"),
        ):
            provision = ("provision", "--store", self.backend, "--conversation", *words)
            self.keyctl(*provision, "--dry-run")
            self.keyctl(*provision)
            self.keyctl(*provision, status=73)
        lines = [{"conversation": "batch-%d" % n, "devices": [self.tablet_id]} for n in range(3)] + [{"conversation": "chat"}]
        self.keyctl("provision", "--store", self.backend, "--from", "-", status=[0, 1, 65, 73], stdin="\n".join(map(json.dumps, lines)).encode())
        for json_too in ((), ("--json",)):
            self.keyctl("list", "--store", self.backend, *json_too)
            for name in ("chat", "each", "bank", "legacy"):
                self.keyctl("show", "--store", self.backend, name, *json_too)

    def bundles(self, device):
        return self.keyctl("bundle", "--store", self.backend, "--device", device).stdout

    def deliver(self, path, device):
        bundles = self.bundles(device)
        listed = self.keyctl("bundle", "--store", self.backend, "--device", device, "--json").stdout
        self.keyctl("accept", "--store", path, stdin=bundles)
        self.keyctl("accept", "--store", path, "--json", stdin=bundles)
        for bundle in json.loads(listed)["bundles"]:
            self.keyctl("bundle", "ack", "--store", self.backend, "--device", device, "--seq", str(bundle["seq"]))

    def request(self, conversation, **more):
        """A request with a canary in every member that is content."""
        return self.input("request", json.dumps({
            "conversation": conversation, "title": self.plaintext("title"), "subtitle": self.plaintext("subtitle"),
            "body": self.plaintext("body") + "\n" + self.plaintext("second line"),
            "loc_title": {"key": "GREETING", "args": {"name": self.plaintext("loc arg")}},
            "loc_body": {"key": "TEXT", "args": {"what": self.plaintext("loc arg")}},
            "thread": self.secrets.text("plaintext", "thread " + self.name, 30, is_plain=True), "category": "C1",
            "image": {
                "url": "https://example.com/" + self.secrets.text("plaintext", "image url %d" % len(self.secrets), 30, is_plain=True),
                "key": base64url(self.random_key("plaintext", "image key %d" % len(self.secrets))),
            },
            "data": {"member": self.plaintext("data"), "list": [self.plaintext("data")]}, **more,
        }, ensure_ascii=self.number % 2 == 0))

    def push(self):
        body = self.input("body", self.plaintext("body"))
        self.seal("--conversation", "chat", "--body-file", body, "--dry-run")
        self.chat = self.seal("--conversation", "chat", "--body-file", body)
        self.seal("--conversation", "chat", "--body-file", body, "--json")
        self.open(self.chat, "--dry-run")
        self.open(self.chat, "--dry-run", "--now", "2", status=1)
        self.open(self.chat)
        self.open(self.chat, status=1)
        full = self.seal("--request", self.request("chat", padding="none", idempotency_key="order-4711"))
        self.open(full, "--json")
        self.open(full, "--json", status=1)
        self.each = self.seal("--request", self.request("each", padding="none"), "--device", self.phone_id)
        self.open(self.each)
        self.seal("--request", self.request("each", platform="both", padding="none"), "--json")
        fcm = self.seal("--request", self.request("chat", platform="fcm", padding="none"))
        self.open(json.dumps(json.loads(fcm)["message"]["data"]).encode())
        with_title = self.secrets.text("plaintext", "a title in argv, " + self.name)
        titled = self.seal("--conversation", "chat", "--title", with_title, label="seal, title in argv")
        self.open(titled)
        long = self.input("body", (self.plaintext("long body") + " ") * 60)
        self.open(self.seal("--conversation", "chat", "--body-file", long))
        self.seal("--conversation", "chat", "--body-file", long, "--overflow", "error", status=65)
        for payload in (self.chat, self.each, fcm):
            self.keyctl("inspect", stdin=payload)
            self.keyctl("inspect", "--json", stdin=payload)
        self.bank = self.seal("--conversation", "bank", "--body-file", body)
        for payload in self.altered(self.chat) + self.altered(self.each):
            self.open(payload, status=1)
            self.open(payload, "--json", status=1)
            self.keyctl("inspect", stdin=payload, status=[0, 65])
        self.keyctl("open", "--store", self.tablet, stdin=self.each, status=1, label=outcome)

    def rotate(self):
        body = self.input("body", self.plaintext("body"))
        seal = ("--conversation", "chat", "--body-file", body)
        before = self.seal(*seal)
        # With a reader in the way, WAL and SHM files stay and nothing can be erased until it has gone.
        with self.recorder.reader(self.recorder.stores[-3]), self.recorder.reader(self.recorder.stores[-2]):
            self.keyctl("rotate", "--store", self.backend, "--conversation", "chat", "--dry-run")
            for _ in range(2):
                self.keyctl("rotate", "--store", self.backend, "--conversation", "chat")
            after = self.seal(*seal)
            self.open(after)
            self.open(before)
            self.keyctl("status", "--store", self.backend)
        rekey = ("rotate", "--store", self.backend, "--conversation", "chat", "--rekey")
        self.keyctl(*rekey, "--dry-run")
        self.keyctl(*rekey)
        self.keyctl(*rekey, status=65)
        self.keyctl(*rekey, "--restart", "--promote-after", "7d")
        self.keyctl("promote", "--store", self.backend, "--conversation", "chat", status=65)
        self.deliver(self.phone, self.phone_id)
        self.keyctl("promote", "--store", self.backend, "--conversation", "chat", "--force", "--dry-run")
        self.keyctl("promote", "--store", self.backend, "--conversation", "chat", "--force")
        self.open(self.seal(*seal))
        self.deliver(self.tablet, self.tablet_id)
        self.keyctl("rotate", "--store", self.backend, "--conversation", "each", "--rekey")
        self.deliver(self.phone, self.phone_id)
        self.deliver(self.tablet, self.tablet_id)
        self.open(self.seal("--conversation", "each", "--body-file", body, "--device", self.phone_id))
        self.keyctl("rotate", "--store", self.backend, "--all")
        self.keyctl("rotate", "--store", self.backend, "--all", "--older-than", "30d", "--json")
        self.keyctl("rotate", "--store", self.backend, "--conversation", "nothing", status=66)

    def audit(self):
        for path in (self.backend, self.phone):
            checkpoint = self.keyctl("audit", "checkpoint", "--store", path).stdout
            for json_too in ((), ("--json",)):
                self.keyctl("audit", "show", "--store", path, *json_too)
                self.keyctl("audit", "verify", "--store", path, "--key", path + ".audit", "--checkpoint", "-", *json_too, stdin=checkpoint)
                self.keyctl("audit", "verify", "--store", path, *json_too)

    def members(self):
        body = self.input("body", self.plaintext("body"))
        for _ in range(2):
            self.keyctl("member", "remove", "--store", self.backend, "--conversation", "chat", "--device", self.tablet_id, status=[0, 66])
        after = self.seal("--conversation", "chat", "--body-file", body)
        self.open(after, status=1)
        self.keyctl("open", "--store", self.tablet, stdin=after, status=1, label=outcome)
        self.deliver(self.phone, self.phone_id)
        self.open(after)
        self.keyctl("member", "add", "--store", self.backend, "--conversation", "chat", "--device", self.tablet_id, "--dry-run")
        self.keyctl("member", "add", "--store", self.backend, "--conversation", "chat", "--device", self.tablet_id)
        self.keyctl("device", "remove", "--store", self.backend, self.tablet_id, "--dry-run")
        self.keyctl("device", "remove", "--store", self.backend, self.tablet_id)
        self.keyctl("device", "remove", "--store", self.backend, self.tablet_id, status=66)
        document = self.keyctl("device", "show", "--store", self.tablet).stdout
        self.keyctl("device", "enroll", "--store", self.backend, self.input("enrollment", document))
        self.deliver(self.phone, self.phone_id)
        self.chat = self.seal("--conversation", "chat", "--body-file", body)

    def split(self):
        export = ("split", "export", "--store", self.backend, "--conversation", "legacy", "--output")
        carried = os.path.join(self.folder, "carried", "split-%s" % self.name)
        self.keyctl(*export, carried)
        self.keyctl(*export, carried, status=73, label="split export, refused")
        key = self.keyctl(*export, "-").stdout
        body = self.input("body", self.plaintext("body"))
        payload = self.seal("--conversation", "legacy", "--body-file", body)
        self.open(payload, status=1)
        self.keyctl("split", "allow", "--store", self.phone)
        self.open(payload, status=1)
        self.keyctl("split", "add", "--store", self.phone, carried, "--dry-run")
        self.keyctl("split", "add", "--store", self.phone, carried)
        self.open(payload)
        self.open(payload, "--json")
        self.keyctl("inspect", stdin=payload)
        self.keyctl("rotate", "--store", self.backend, "--conversation", "legacy", "--rekey")
        self.keyctl("split", "add", "--store", self.phone, stdin=self.keyctl(*export, "-").stdout)
        self.keyctl("promote", "--store", self.backend, "--conversation", "legacy")
        self.open(self.seal("--conversation", "legacy", "--body-file", body))
        whole = json.loads(key)
        bad = [{**whole, "k": whole["k"][:-2]}, {**whole, "k": [whole["k"]]}, {**whole, "until": whole["k"]}, {**whole, "sub": whole["k"] * 2},
               {**whole, "until": 1}, {**whole, whole["k"]: 1}, [whole], whole["k"]]
        for text in [json.dumps(it).encode() for it in bad] + [key[:-9], key + key, b"\xff" + key, whole["k"].encode()]:
            self.keyctl("split", "add", "--store", self.phone, stdin=text, status=[0, 65])
        self.keyctl("split", "export", "--store", self.backend, "--conversation", "chat", "--output", "-", status=[65, 66], label="split export, refused")
        self.keyctl("split", "deny", "--store", self.phone)
        self.open(payload, status=1)

    def answer_cases(self):
        """Known-answer cases with the keys of this run: content of what opens is printed, keys never are."""
        identity = json.loads(self.keyctl("device", "show", "--store", self.phone).stdout)
        backend, phone, _ = self.recorder.stores[-3:]
        _, device_key = phone.contents["identity", "device-key"]
        header = json.loads(unbase64url(json.loads(self.chat)["encrypted_payload"].split(".")[0]))
        handle, epoch = header["kid"].split(".")
        row, secret = backend.contents["conversation_secret", handle]
        if row["epoch"] != int(epoch):
            self.recorder.faults.append("step %d: the store does not hold the epoch sealed under" % self.recorder.step)
        ring = {
            "device": {"jwk": {**identity["jwk"], "d": base64url(device_key)}, "enrollment_secret": identity["enrollment_secret"]},
            "allow_split": False, "keys": [{
                "sub": "chat", "jwe_alg": "dir", "kid": header["kid"], "k": base64url(secret), "state": "active", "open_until": None,
                "accessible": "after-first-unlock", "older": []}],
        }
        case = {"id": "a", "ring": "r", "env": {"now": row["created"] + 60, "lock": "unlocked", "limit": 5120}}
        cases = [{**case, "payload_b64": base64.b64encode(self.chat.strip()).decode()}]
        cases += [{**case, "id": str(n), "payload_b64": base64.b64encode(it).decode()} for n, it in enumerate(self.altered(self.chat)[:6])]
        whole = {"format": "waxwing-cases/1", "set": "s", "about": "a", "count": len(cases), "rings": {"r": ring}, "cases": cases}
        key = ring["keys"][0]
        wrong = [{**key, "k": key["k"][:-1]}, {**key, "k": [key["k"]]}, {**key, "kid": key["k"]}, {**key, "state": key["k"]}, {**key, "jwe_alg": key["k"]}]
        files = [whole] + [{**whole, "rings": {"r": {**ring, "keys": [it]}}} for it in wrong]
        jwk = ring["device"]["jwk"]
        files += [{**whole, "rings": {"r": {**ring, "device": {**ring["device"], "jwk": {**jwk, **it}}}}}
                  for it in ({"d": jwk["d"][:-1]}, {"d": [jwk["d"]]}, {"x": jwk["d"]}, {"kty": jwk["d"]})]
        for it in files:
            for more in ((), ("--json",)):
                status = 0 if it is whole else [0, 1, 65]
                self.keyctl("kat", "--cases", self.input("cases", json.dumps(it)), *more, status=status, label="kat")

    def lock(self):
        more, words = self.unlocking(self.phone)
        self.keyctl("lock", "--store", self.phone, "--dry-run")
        self.keyctl("lock", "--store", self.phone)
        self.keyctl("status", "--store", self.phone)
        self.keyctl("status", "--store", self.phone, "--verify")
        self.open(self.bank, status=1)
        self.unlock_badly(self.phone)
        self.keyctl("unlock", "--store", self.phone, *words, "--dry-run", **more)
        self.keyctl("unlock", "--store", self.phone, *words, **more)
        self.open(self.bank)
        for path in (self.phone, self.tablet):
            self.keyctl("lock", "--store", path, "--restart")
            self.keyctl("status", "--store", path)
            self.keyctl("status", "--store", path, "--verify", status=77)
            self.keyctl("device", "show", "--store", path, status=77)
            self.keyctl("accept", "--store", path, stdin=b"garbage", status=[65, 77])
            self.keyctl("split", "allow", "--store", path, status=77)
            self.keyctl("open", "--store", path, stdin=self.chat, status=[1, 77], label=outcome)
            self.unlock_badly(path)
        self.keyctl("unlock", "--store", self.phone, *words, **more)
        self.open(self.chat)
        words = ("unlock", "--store", self.tablet)
        for answers, status in (([self.wrong + b"\n"], 77), ([self.passphrases[self.tablet] + b"\n"], 0)):
            finished = self.recorder.type(words, answers, environment={"WAXWING_SESSION_HOLDER": self.holder})
            self.expect(finished, words, status)
        body = self.input("body", self.plaintext("body"))
        more, words = self.unlocking(self.backend)
        for restart in ((), ("--restart",)):
            self.keyctl("lock", "--store", self.backend, *restart)
            self.seal("--conversation", "chat", "--body-file", body, status=77)
            self.keyctl("rotate", "--store", self.backend, "--conversation", "chat", status=77)
            self.keyctl("split", "export", "--store", self.backend, "--conversation", "legacy", "--output", "-", status=77, label="split export, refused")
            self.unlock_badly(self.backend)
            self.keyctl("unlock", "--store", self.backend, *words, **more)
        self.seal("--conversation", "chat", "--body-file", body)

    def end(self):
        for path in (self.backend, self.phone, self.tablet, *self.restored):
            self.keyctl("lock", "--store", path, "--restart")
