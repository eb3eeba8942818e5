"""What people and broken things do wrong: documents, bundles, pushes, requests, passphrases, commands and files that are not right.

Wherever it can be, a secret stands where it does not belong, so that a message that repeats its input is found out.
"""

import base64
import json
import os
import shutil
import signal
import sqlite3

from steps import base64url, outcome

GROUP = "group.waxwing.default"
# Exit statuses of a command on a store that is damaged in one way or another.
ANY_STATUS = [0, 1, 65, 66, 69, 73, 74, 75, 77, 78]


class WrongTurns:
    """What a walk does wrong on its way."""

    def refuse_documents(self, document):
        """Enrollment documents that are none, each with the secret or a piece of it in another place."""
        whole = json.loads(document)
        secret = whole["enrollment_secret"]
        private = self.random_key("d", "d of no device")
        bad = [
            {**whole, "jwk": {**whole["jwk"], "d": base64url(private)}},
            {**whole, "enrollment_secret": secret[:-1]}, {**whole, "enrollment_secret": secret + "="},
            {**whole, "enrollment_secret": [secret]}, {**whole, "jwk": secret}, {**whole, "name": None},
            {**whole, "enrollment_secret": secret + secret}, {**whole, "extra": secret}, {**whole, secret: 1},
            {**whole, "jwk": {**whole["jwk"], "kid": secret}}, {**whole, "jwk": {**whole["jwk"], secret: 1}},
            {**whole, "jwk": {**whole["jwk"], "crv": secret}}, {**whole, "jwk": {**whole["jwk"], "x": secret}}, [whole], secret,
        ]
        texts = [json.dumps(it).encode() for it in bad]
        texts += [document[:-20], document + document, b"\xff" + document, secret.encode(), secret.encode() + b"\n",
                  document.replace(b'"enrollment_secret":', b'"enrollment_secret":"a","enrollment_secret":')]
        for text in texts:
            self.keyctl("device", "enroll", "--store", self.backend, stdin=text, status=[0, 65])
        other = {**whole, "enrollment_secret": base64url(self.random_key("enrollment secret", "enrollment secret of nobody"))}
        self.keyctl("device", "enroll", "--store", self.backend, stdin=json.dumps(other).encode(), status=65)

    def deliver_badly(self):
        bundles = self.bundles(self.phone_id)
        first = bundles.split(b"\n")[0]
        at = len(first) - 40
        altered = first[:at] + (b"A" if first[at:at + 1] != b"A" else b"B") + first[at + 1:]
        for text in (b"garbage", altered, first[:-9], b"\x1b[2J", first.split(b".")[3], b"{}", first + b"." + first, b"\xff\xfe"):
            self.keyctl("accept", "--store", self.phone, stdin=text, status=65)
        self.keyctl("accept", "--store", self.tablet, stdin=bundles, status=65)
        self.keyctl("accept", "--store", self.phone, "--dry-run", stdin=bundles)
        self.keyctl("bundle", "ack", "--store", self.backend, "--device", self.phone_id, "--seq", "1", status=66)

    def altered(self, payload):
        """The payload with each part of its JWE changed, and what is none."""
        document = json.loads(payload)
        parts = document["encrypted_payload"].split(".")
        changed = []
        for index, part in enumerate(parts):
            if part:
                at = len(part) // 2
                other = part[:at] + ("A" if part[at] != "A" else "B") + part[at + 1:]
                changed.append({**document, "encrypted_payload": ".".join(parts[:index] + [other] + parts[index + 1:])})
        changed += [{**document, "encrypted_payload": value} for value in (None, 7, {}, "a.b.c.d.e", parts[3])]
        return [json.dumps(it).encode() for it in changed] + [payload[:100], b"garbage", b'{"aps":{}}', b"[]", payload * 12]

    def wrong_requests(self):
        """Requests that are none, each with content in the wrong place."""
        words = [self.secrets.text("plaintext", "a word in the wrong place %d" % n, 30, is_plain=True) for n in range(8)]
        good = {"conversation": "chat", "body": words[0]}
        bad = [
            {**good, "thread": words[1] * 3}, {**good, "thread": 7}, {**good, "title": [words[2]]}, {**good, "loc_body": words[3]},
            {**good, "loc_body": {"key": "K", "args": {"a": [words[3]]}}}, {**good, "image": {"url": words[4]}},
            {**good, "image": {"url": "https://e.example/", "key": words[4]}}, {**good, "image": {"url": "https://e.example/ " + words[4]}},
            {**good, "data": words[5]}, {**good, "expires": words[6]}, {**good, "platform": words[6]}, {**good, "padding": words[6]},
            {**good, "limit": words[6]}, {**good, "aps": words[7]}, {**good, "apns": {"topic": 7}}, {**good, "device": words[7]},
            {**good, "placeholder": {"body": "x", "loc_key": words[7]}}, {**good, "image_url": words[7]}, {**good, "type": words[7] * 2},
            {**good, words[7]: 1}, {**good, "aps": {words[7]: 1}}, {"body": words[0]}, [words[0]], words[0], {**good, "conversation": words[0] * 3},
        ]
        for it in bad:
            self.seal("--request", "-", stdin=json.dumps(it).encode(), status=[64, 65, 66])
        text = json.dumps(good).encode()
        for it in (text[:-5], text + text, b"\xff" + text, text.replace(b'"body"', b'"body":"a","body"'), words[0].encode()):
            self.seal("--request", "-", stdin=it, status=65)
        for it in (b"\xff\xfe" + words[0].encode(), b"", words[0].encode() * 100000):
            self.seal("--conversation", "chat", "--overflow", "error", "--body-file", "-", stdin=it, status=[0, 65])

    def unlock_badly(self, path):
        refused = [64, 65, 69, 77]
        unlock = ("unlock", "--store", path)
        self.keyctl(*unlock, passphrase=self.wrong, status=refused)
        self.keyctl(*unlock, passphrase=self.passphrases[path] + b"x", status=refused)
        self.keyctl(*unlock, passphrase=self.wrong * 20, status=refused)
        self.keyctl(*unlock, passphrase=b"", status=refused)
        other = os.path.join(self.folder, "keys", "other-%s.key" % self.name)
        if not os.path.exists(other):
            key = self.random_key("KEK", "a key file that does not fit")
            for end, content, mode in (("", key, 0o600), (".open", key, 0o644), (".long", key * 2, 0o600), (".short", key[:31], 0o600)):
                with open(other.replace(".key", end + ".key"), "wb") as file:
                    file.write(content)
                os.chmod(file.name, mode)
        for end in ("", ".open", ".long", ".short", ".none"):
            self.keyctl(*unlock, "--key-file", other.replace(".key", end + ".key"), status=refused)
        typed = self.secrets.add(
            "mistyped passphrase", "a passphrase given as an argument", self.secrets.random.randbytes(20).hex().encode(), is_text=True).content
        for words in ((typed,), ("--passphrase-fd", typed), (b"--passphrase=" + typed,), (b"--passphrase-fd=" + typed,)):
            words = [word if isinstance(word, str) else word.decode() for word in words]
            self.keyctl(*unlock, *words, status=64, label="unlock, passphrase in argv")

    def kills(self):
        """Commands that are killed on their way, so that WAL files and what is half-written stay; the stores have to hold all the same."""
        request = self.request("chat")
        for number in range(24):
            words, stdin = (
                (("rotate", "--store", self.backend, "--conversation", "chat"), b""),
                (("rotate", "--store", self.backend, "--conversation", "each", "--rekey", "--restart"), b""),
                (("seal", "--store", self.backend, "--request", request), b""),
                (("split", "export", "--store", self.backend, "--conversation", "legacy", "--output", os.path.join(
                    self.folder, "carried", "split-%s-%d" % (self.name, number))), b""),
                (("split", "add", "--store", self.phone, os.path.join(self.folder, "carried", "split-%s" % self.name)), b""),
                (("open", "--store", self.phone), self.chat),
            )[number % 6]
            self.keyctl(
                *words, stdin=stdin, is_traced=False, killed_after=self.secrets.random.uniform(0, 0.03), status=[0, 1, -signal.SIGKILL],
                label=outcome if words[0] == "open" else None)
        for path in (self.backend, self.phone):
            self.keyctl("status", "--store", path, "--verify")

    def mistakes(self):
        for words, status in (
            ((), 64), (("sael",), 64), (("list",), 64), (("list", "--store", os.path.join(self.folder, "nowhere")), 69),
            (("seal", "--store", self.phone, "--conversation", "chat", "--title", "x"), 78),
            (("accept", "--store", self.backend), 78), (("device", "new", "--store", self.backend, "--name", "x"), 78),
            (("show", "--store", self.backend, "nothing"), 66), (("bundle", "--store", self.backend, "--device", "nobody"), 66),
            (("provision", "--store", self.backend, "--conversation", "other", "--device", "nobody"), 66),
            (("member", "add", "--store", self.backend, "--conversation", "nothing", "--device", self.phone_id), 66),
            (("split", "export", "--store", self.phone, "--conversation", "legacy", "--output", "-"), 78),
            (("list", "--store", "postgres://somebody:word@127.0.0.1/x"), 69),
            (("inspect", os.path.join(self.folder, "nowhere")), 66), (("device", "enroll", "--store", self.backend, "/"), 65),
        ):
            self.keyctl(*words, status=status, label="a mistake")
        self.keyctl("status", "--store", self.phone, environment={"WAXWING_SESSION_HOLDER": "neither"}, status=[64, 65, 69, 78])
        self.keyctl("list", environment={"WAXWING_STORE": self.backend})
        for words in (("--help",), ("seal", "--help"), ("--version",), ("man",), ("man", "unlock"), ("completions", "bash")):
            self.keyctl(*words, label="help", verbose=False)
        for path in (self.backend, self.phone, self.tablet):
            for more in ((), ("--json",)):
                self.keyctl("status", "--store", path, "--verify", *more)

    def damage(self):
        """Copies of the stores with one thing wrong each."""
        edits = [
            "UPDATE {table} SET {column} = (SELECT {column} FROM {table} ORDER BY id DESC LIMIT 1)",
            "UPDATE {table} SET {column} = zeroblob(length({column}))",
            "UPDATE {table} SET {column} = substr({column}, 1, 20)",
        ]
        targets = [
            (self.phone, "identity", "value"), (self.phone, "identity", "item_key"), (self.phone, "held_epoch", "value"),
            (self.phone, "held_epoch", "sealed"), (self.phone, "class_key", "wrap"), (self.backend, "conversation_secret", "value"),
            (self.backend, "device", "item_key"), (self.backend, "class_key", "wrap"), (self.backend, "bundle", "content"),
        ]
        count = 0
        for index, (path, table, column) in enumerate(targets):
            copy = self.copy(path, count)
            count += 1
            database = sqlite3.connect(os.path.join(copy, GROUP, os.path.basename(self.recorder.stores[-1].database)))
            database.execute(edits[index % len(edits)].format(table=table, column=column))
            database.commit()
            database.close()
            self.use_damaged(copy, path)
        for path, statement in (
            (self.phone, "UPDATE slot SET memory_mib = 1000000"), (self.phone, "UPDATE held_epoch SET state = 'active'"),
            (self.phone, "UPDATE held_epoch SET conversation = 'bank'"), (self.phone, "DELETE FROM store"), (self.phone, "DROP TABLE held_epoch"),
            (self.backend, "UPDATE conversation_secret SET value = 'text'"), (self.backend, "UPDATE store SET role = 'device'"),
        ):
            copy = self.copy(path, count)
            count += 1
            database = sqlite3.connect(os.path.join(copy, GROUP, os.path.basename(self.recorder.stores[-1].database)))
            try:
                database.execute(statement)
                database.commit()
            except sqlite3.Error:
                pass  # what a constraint forbids cannot be tried this way
            database.close()
            self.use_damaged(copy, path)
        for path, change in (
            (self.phone, lambda data: data[:len(data) // 2]), (self.phone, lambda data: b""), (self.backend, lambda data: b"text " * 900),
            (self.backend, lambda data: data[:5000] + b"\xff" * 3000 + data[8000:]),
        ):
            copy = self.copy(path, count)
            count += 1
            file = os.path.join(copy, GROUP, os.path.basename(self.recorder.stores[-1].database))
            with open(file, "rb") as opened:
                data = opened.read()
            with open(file, "wb") as opened:
                opened.write(change(data))
            self.use_damaged(copy, path)

    def copy(self, path, number):
        copy = os.path.join(self.folder, "damaged-%s-%d" % (self.name, number))
        shutil.copytree(path, copy, ignore=shutil.ignore_patterns("agent*", "session*"))
        return copy

    def use_damaged(self, copy, original):
        self.keyctl("status", "--store", copy, "--verify", status=ANY_STATUS)
        if original == self.phone:
            more, words = self.unlocking(self.phone)
            self.keyctl("unlock", "--store", copy, *words, status=ANY_STATUS, **more)
            self.keyctl("open", "--store", copy, stdin=self.chat, status=ANY_STATUS, label=outcome)
            self.keyctl("device", "show", "--store", copy, status=ANY_STATUS)
            self.keyctl("lock", "--store", copy, "--restart", status=ANY_STATUS)
            self.keyctl("unlock", "--store", self.phone, *words, **more)
        else:
            for words in (("seal", "--conversation", "chat", "--body-file", self.input("body", self.plaintext("body"))), ("list",),
                          ("bundle", "--device", self.phone_id), ("device", "list"), ("rotate", "--conversation", "chat")):
                self.keyctl(*words, "--store", copy, status=ANY_STATUS)
        shutil.rmtree(copy)
