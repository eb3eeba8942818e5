"""The secrets of one run: those it chose, those the stores hold, and what is derived from them."""

import hashlib
import hmac
import random
import string

from search import Secret

DERIVED_AHEAD = 3


def expand(secret, word, cid):
    """HKDF-Expand with SHA-256 to 32 bytes (docs/spec/envelope.md, section 2)."""
    label = b"waxwing/1 " + word + b"\0" + cid.encode("ascii")
    return hmac.new(secret, label + b"\x01", hashlib.sha256).digest()


class Secrets:
    """Each of them once, by its bytes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.by_content = {}

    def __iter__(self):
        return iter(self.by_content.values())

    def __len__(self):
        return len(self.by_content)

    def kinds(self):
        return sorted({secret.kind for secret in self})

    def of_kind(self, kind):
        return [secret for secret in self if secret.kind == kind]

    def add(self, kind, name, content, is_text=False):
        if content not in self.by_content:
            self.by_content[content] = Secret(kind, name, content, is_text)
        return self.by_content[content]

    def text(self, kind, name, length=24, is_plain=False):
        """A new text that nobody else has: letters and digits, and unless plain, what has to be escaped, and other scripts."""
        def letters(count):
            return "".join(self.random.choices(string.ascii_letters + string.digits, k=count))

        text = letters(length)
        if not is_plain:
            middle = "".join(chr(self.random.randrange(0x4E00, 0x9FFF)) for _ in range(12))
            text = '%s"%s\\/%s' % (letters(length), middle, letters(length))
        self.add(kind, name, text.encode("utf-8"), is_text=True)
        return text

    def add_stored(self, kind, name, content, row):
        self.add(kind, name, content)
        if kind != "C":
            return
        cid, epoch = row["conversation"], row["epoch"]
        for _ in range(DERIVED_AHEAD):
            about = "of %s, epoch %d" % (cid, epoch)
            self.add("C", "C " + about, content)
            self.add("K", "K " + about, expand(content, b"A256GCM", cid))
            self.add("P", "P " + about, expand(content, b"HPKE-7", cid))
            content, epoch = expand(content, b"next", cid), epoch + 1
