"""What a walk through the commands is made of."""

import base64
import os
import re


def base64url(content):
    return base64.urlsafe_b64encode(content).decode("ascii").rstrip("=")


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def outcome(printed):
    """What `open` said became of a push; for allowed.py."""
    word = re.match(rb'(?:\{"outcome":")?([a-z-]*)', printed)[1]
    return {b"opened": "open, opened", b"duplicate": "open, a duplicate"}.get(word, "open, not opened")


class Steps:
    """One backend and two phones, with one way to unlock each and one session holder."""

    def __init__(self, recorder, name, holder, backend_by_passphrase):
        self.recorder, self.secrets, self.name, self.holder = recorder, recorder.secrets, name, holder
        self.folder = recorder.folder
        self.backend, self.phone, self.tablet = (os.path.join(self.folder, name + "-" + it) for it in ("backend", "phone", "tablet"))
        self.backend_by_passphrase = backend_by_passphrase
        self.passphrases = {
            path: self.secrets.text("passphrase", "passphrase of " + os.path.basename(path)).encode("utf-8")
            for path in (self.backend, self.phone, self.tablet)
        }
        self.key_files = {path: os.path.join(self.folder, "keys", os.path.basename(path) + ".key") for path in self.passphrases}
        self.uses_passphrase = {self.backend: backend_by_passphrase, self.phone: not backend_by_passphrase, self.tablet: True}
        self.wrong = self.secrets.text("passphrase", "a wrong passphrase, " + name).encode("utf-8")
        self.number = 0
        # Stores made of backups.
        self.restored = []
        for inner in ("inputs", "keys", "carried"):
            os.makedirs(os.path.join(self.folder, inner), exist_ok=True)

    def keyctl(self, *words, status=0, **more):
        """One command, of which the exit status is known; with a list of them, one of these."""
        environment = {"WAXWING_SESSION_HOLDER": self.holder, **more.pop("environment", {})}
        finished = self.recorder.run(words, environment=environment, **more)
        self.expect(finished, words, status)
        return finished

    def expect(self, finished, words, status):
        allowed = status if isinstance(status, (list, tuple)) else [status]
        if finished.status not in allowed:
            self.recorder.faults.append("step %d, keyctl %s (%s): exit status %d and not %s" % (
                self.recorder.step, " ".join(words[:2]), self.name, finished.status, " or ".join(map(str, allowed))))
            if self.recorder.show:
                print("step %d, keyctl %s\n%s" % (self.recorder.step, " ".join(words), (finished.stdout[:400] + finished.stderr).decode("utf-8", "replace")))

    def input(self, name, content):
        """A file that somebody made for a command, of which the name's first word says what is in it (see allowed.py)."""
        self.number += 1
        path = os.path.join(self.folder, "inputs", "%s-%s-%d" % (name, self.name, self.number))
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def plaintext(self, name):
        return self.secrets.text("plaintext", "%s %d, %s" % (name, len(self.secrets), self.name))

    def random_key(self, kind, name):
        return self.secrets.add(kind, "%s, %s" % (name, self.name), self.secrets.random.randbytes(32)).content

    def unlocking(self, path):
        """How a store is unlocked: words, and the passphrase."""
        if self.uses_passphrase[path]:
            return {"passphrase": self.passphrases[path]}, ()
        return {}, ("--key-file", self.key_files[path])

    def open(self, payload, *words, status=0, **more):
        return self.keyctl("open", "--store", self.phone, *words, status=status, stdin=payload, label=outcome, **more)

    def seal(self, *words, status=0, **more):
        return self.keyctl("seal", "--store", self.backend, *words, status=status, **more).stdout
