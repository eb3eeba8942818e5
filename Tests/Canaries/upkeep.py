"""Upkeep of stores: what unlocks them, their class keys, backups, anchors, and how conversations end."""

import json
import os

import backup_file
import store_secrets
from steps import unbase64url


class Upkeep:
    """Leaves stores that are used as before, but unlocked by something else."""

    def upkeep(self):
        self.anchors()
        self.endings()
        self.rewrap()
        self.passcode()
        for path in (self.backend, self.phone, self.tablet):
            more, words = self.unlocking(path)
            self.keyctl("rewrap", "--store", path, "--class-keys", *words, "--dry-run", **more)
            self.keyctl("rewrap", "--store", path, "--class-keys", *words, **more)
            self.keyctl("status", "--store", path, "--verify")
        self.backups()
        for path in (self.backend, self.phone):
            more, words = self.unlocking(path)
            self.keyctl("migrate", "--store", path, "--dry-run")
            self.keyctl("migrate", "--store", path, *words, **more)
        self.seal("--conversation", "chat", "--body-file", self.input("body", self.plaintext("body")))

    def anchors(self):
        for path in (self.backend, self.phone):
            self.keyctl("config", "set", "--store", path, "anchor", path + ".anchor", "--dry-run")
            self.keyctl("config", "set", "--store", path, "anchor", path + ".anchor")
            self.keyctl("status", "--store", path, "--verify", "--anchor", path + ".anchor")

    def endings(self):
        conversation = ("--conversation", "ending")
        self.keyctl("provision", "--store", self.backend, *conversation, "--alg", "dir", "--device", self.phone_id)
        self.deliver(self.phone, self.phone_id)
        body = self.input("body", self.plaintext("body"))
        self.open(self.seal(*conversation, "--body-file", body))
        for path in (self.backend, self.phone):
            for word in ("suspend", "resume"):
                self.keyctl(word, "--store", path, *conversation, "--dry-run")
                self.keyctl(word, "--store", path, *conversation)
                self.keyctl(word, "--store", path, *conversation, status=[0, 65])
        for json_too in ((), ("--json",)):
            self.keyctl("census", "--store", self.backend, "ending", *json_too)
        self.keyctl("revoke", "--store", self.backend, *conversation, "--dry-run")
        self.keyctl("revoke", "--store", self.backend, *conversation)
        self.keyctl("retire", "--store", self.backend, *conversation, status=65)
        self.deliver(self.phone, self.phone_id)
        self.keyctl("retire", "--store", self.backend, *conversation, "--dry-run")
        self.keyctl("retire", "--store", self.backend, *conversation)
        self.keyctl("destroy", "--store", self.backend, *conversation, status=65)
        self.keyctl("destroy", "--store", self.backend, *conversation, "--force", "--dry-run")
        self.keyctl("destroy", "--store", self.backend, *conversation, "--force")
        self.keyctl("revoke", "--store", self.phone, *conversation)
        self.keyctl("destroy", "--store", self.phone, *conversation)
        self.keyctl("list", "--store", self.phone)

    def change(self, path, *words, passphrase=None, key_file=None):
        """Another way to unlock a store, first rehearsed, then by somebody who does not know the present one."""
        more, present = self.unlocking(path)
        new = ("--new-key-file", key_file) if key_file else ("--argon2id", "1,8")
        descriptors = {"--new-passphrase-fd": passphrase} if passphrase else {}
        command = ("rewrap", "--store", path, *words, *new)
        self.keyctl(*command, *present, "--dry-run", descriptors=descriptors, **more)
        if self.uses_passphrase[path]:
            self.keyctl(*command, descriptors=descriptors, passphrase=self.wrong, status=77)
        store = self.store(path)
        self.uses_passphrase[path] = passphrase is not None
        if passphrase:
            self.passphrases[path] = store.passphrase = passphrase
        else:
            self.key_files[path] = store.key_file = key_file
        self.keyctl(*command, *present, descriptors=descriptors, **more)

    def store(self, path):
        return next(store for store in self.recorder.stores if store.directory == path)

    def new_passphrase(self, path):
        return self.secrets.text("passphrase", "passphrase %d of %s" % (len(self.secrets), os.path.basename(path))).encode("utf-8")

    def new_key_file(self, name):
        return os.path.join(self.folder, "keys", "%s-%s.key" % (name, self.name))

    def rewrap(self):
        self.change(self.backend, passphrase=self.new_passphrase(self.backend))
        self.change(self.backend, key_file=self.new_key_file("other"))
        self.change(self.backend, key_file=self.new_key_file("third"))
        # On a terminal: the present one, and the new one twice.
        present, new = self.passphrases[self.tablet], self.new_passphrase(self.tablet)
        store = self.store(self.tablet)
        words = ("rewrap", "--store", self.tablet)
        for more, answers, status, then in (
            (("--argon2id", "2,8"), [present], 0, present), ((), [present, new, self.wrong], 65, present), ((), [self.wrong, new, new], 77, present),
            ((), [present, new, new], 0, new),
        ):
            store.passphrase = self.passphrases[self.tablet] = then
            finished = self.recorder.type(
                (*words, *more), [answer + b"\n" for answer in answers], environment={"WAXWING_SESSION_HOLDER": self.holder})
            self.expect(finished, (*words, *more), status)

    def passcode(self):
        self.change(self.phone, "--remove-passcode", key_file=self.new_key_file("bare"))
        self.change(self.phone, key_file=self.new_key_file("barer"))
        self.keyctl("lock", "--store", self.phone, "--restart")
        self.keyctl("unlock", "--store", self.phone, "--key-file", self.key_files[self.phone])
        self.change(self.phone, passphrase=self.new_passphrase(self.phone))

    def backups(self):
        safe = self.new_passphrase(self.backend)
        self.back_up(self.backend, {"--backup-passphrase-fd": safe}, ("--argon2id", "1,8"), {"--backup-passphrase-fd": self.wrong}, passphrase=safe)
        key_file = self.new_key_file("safe")
        self.back_up(self.phone, {}, ("--backup-key-file", key_file), {}, key_file=key_file)

    def back_up(self, path, secret, words, wrong, passphrase=None, key_file=None):
        file, again = path + ".backup", path + "-again"
        self.keyctl("backup", "--store", path, file, "--dry-run", *words, descriptors=secret)
        self.keyctl("backup", "--store", path, file, *words, descriptors=secret)
        self.keyctl("backup", "--store", path, file, *words, descriptors=secret, status=73)
        self.learn(file, passphrase, key_file)
        more = ("--backup-key-file", key_file) if key_file else ()
        by_key_file = path == self.backend
        new_key, new = self.new_key_file("again"), self.new_passphrase(again)
        unlock = {} if by_key_file else {"--passphrase-fd": new}
        restore = ("restore", "--store", again, *more, *(("--key-file", new_key) if by_key_file else ("--argon2id", "1,8")), "--anchor", again + ".anchor")
        self.keyctl(*restore, file, "--dry-run", descriptors={**secret, **unlock})
        if wrong:
            self.keyctl(*restore, file, descriptors={**wrong, **unlock}, status=77)
        with open(file, "rb") as whole:
            cut = self.input("cut", whole.read()[:-20])
        self.keyctl(*restore, cut, descriptors={**secret, **unlock}, status=65)
        self.restored.append(again)
        self.keyctl(*restore, file, descriptors={**secret, **unlock})
        self.recorder.stores.insert(0, store_secrets.Store(os.path.basename(again), again, passphrase=new, key_file=new_key))
        self.recorder.collect()
        self.keyctl(*restore, file, descriptors={**secret, **unlock}, status=73)
        self.keyctl("status", "--store", again, "--verify", "--json")

    def learn(self, file, passphrase, key_file):
        """The keys of a backup are secrets too."""
        with open(file, "rb") as opened:
            header = opened.read(backup_file.HEADER)
        content = None
        if key_file:
            with open(key_file, "rb") as opened:
                content = opened.read()
        key = backup_file.kek(header, content, passphrase)
        self.secrets.add("KEK", "KEK of " + os.path.basename(file), key)
        self.secrets.add("other key", "stream key of " + os.path.basename(file), backup_file.derive(b"stream", header[:42], key))

    def learn_audit_key(self, path):
        with open(path, "rb") as opened:
            key = unbase64url(json.load(opened)["start_key"])
        self.secrets.add("audit key", "start key of " + os.path.basename(path), key)
