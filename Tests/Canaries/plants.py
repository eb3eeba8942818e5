"""Leaks on purpose: one of each kind of secret, in each encoding, in each place. The search has to find every one."""

import base64
import json
import os
import sys

from search import SHORTEST

# Run by the shell: $1 and the environment hold the leak already, $PLANT names a file with it, $KEPT and $GONE are files to write.
SCRIPT = 'cat "$PLANT"; cat "$PLANT" >&2; cat "$PLANT" > "$KEPT"; dd if="$PLANT" of="$GONE" status=none; rm "$GONE"; sleep "$WAIT"'
# What the shell cannot do: a message over a socket, a key for the kernel.
SENDER = """
import ctypes, platform, socket, sys
data = open(sys.argv[1], "rb").read()
ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
ends[0].send(data)
number = {"x86_64": 248, "aarch64": 217}[platform.machine()]
ctypes.CDLL(None).syscall(number, b"user", b"waxwing canary", data, len(data), -2)
"""


def encodings(secret, random):
    """(name, bytes) of every way in which a secret is planted."""
    content = secret.content
    yield "raw", content
    yield "hex", content.hex().encode()
    yield "hex in capitals", content.hex().upper().encode()
    yield "hex with colons", content.hex(":").encode()
    yield "decimal numbers", str(list(content)).encode()
    for name, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
        for shift in range(3):
            yield "%s at %d" % (name, shift), encode(random.randbytes(shift) + content + random.randbytes(4)).rstrip(b"=")
    yield "JSON of base64", json.dumps({"k": base64.b64encode(content).decode()}).replace("/", "\\/").encode()
    yield "base64url of JSON", base64.urlsafe_b64encode(json.dumps({"k": base64.urlsafe_b64encode(content).decode()}).encode())
    pieces = [content[at:at + SHORTEST] for at in range(1, len(content) - SHORTEST)]
    for piece in [it for it in pieces if 0 not in it][:1]:
        yield "12 bytes", b"..." + piece + b"..."
        yield "12 bytes in hex", piece.hex().encode()
        yield "12 bytes in base64url", base64.urlsafe_b64encode(piece)
    for name, form in secret.forms[1:]:
        if not name.startswith("UTF-16"):
            yield "escaped as " + name, form


def without_zero(data):
    """The longest part that a command line can hold."""
    return max(data.split(b"\0"), key=len)


class Plants:
    """Plants everything with a recorder of its own, and then looks whether it is found."""

    def __init__(self, recorder, secrets):
        self.recorder, self.random = recorder, secrets.random
        # The last of a kind: of plaintexts and passphrases one that has to be escaped.
        self.chosen = {}
        for secret in secrets:
            current = self.chosen.get(secret.kind)
            if current is None or len(secret.forms) >= len(current.forms):
                self.chosen[secret.kind] = secret
        self.planted = []

    def expect(self, secret, encoding, *places):
        for kind, what in places:
            self.planted.append((secret, encoding, kind, what, self.recorder.step))

    def plant(self):
        for kind, secret in sorted(self.chosen.items()):
            # The same bytes in two encodings are one plant: digits of digits have no capitals.
            different = {data: encoding for encoding, data in reversed(list(encodings(secret, self.random)))}
            for number, (data, encoding) in enumerate(different.items()):
                self.plant_everywhere(secret, encoding, data, "%s-%d" % (kind.replace(" ", "-"), number))
            if self.recorder.tracer:
                self.plant_by_call(secret)

    def plant_everywhere(self, secret, encoding, data, name):
        recorder = self.recorder
        plant = os.path.join(recorder.private, "plant")
        with open(plant, "wb") as file:
            file.write(data)
        environment = {
            "LEAK": without_zero(data), "PLANT": plant, "KEPT": "kept-" + name, "GONE": "gone-" + name,
            "WAIT": "0" if recorder.tracer else "0.1",
        }
        recorder.run(["-c", SCRIPT, "sh", without_zero(data)], program="/bin/sh", environment=environment, label="a plant")
        places = [("stdout", "a plant"), ("stderr", "a plant"), ("file", "kept-" + name)]
        if len(without_zero(data)) >= SHORTEST:
            places += [("argv", "a plant"), ("environment", "a plant")]
        if recorder.tracer:
            places.append(("file", "gone-" + name))
        self.expect(secret, encoding, *places)
        try:
            printable = data.decode("utf-8")
        except UnicodeDecodeError:
            return
        if "\0" not in printable:
            # The program's own message about a file of that name.
            recorder.run(["inspect", printable], label="an error", is_traced=False)
            self.expect(secret, encoding, ("stderr", "an error"))

    def plant_by_call(self, secret):
        plant = os.path.join(self.recorder.private, "plant")
        with open(plant, "wb") as file:
            file.write(secret.content)
        self.recorder.run(["-c", SENDER, plant], program=sys.executable, label="a plant")
        places = [("socket", "unix, a plant"), ("keyring", "a key, a plant")]
        self.expect(secret, "raw", *(place for place in places if secret.kind != "class key"))

    def missed(self, leaks):
        """What was planted and not found; `leaks` are pairs of place and finding."""
        found = {(finding.secret.name, place.kind, place.what, place.step) for place, finding in leaks}
        return [
            "%s in %s, %s, %s" % (secret.kind, encoding, kind, what)
            for secret, encoding, kind, what, step in self.planted if (secret.name, kind, what, step) not in found
        ]
