"""Sealed attachments with the other side by Tink, which knows nothing of Waxwing."""

import hashlib
import io
import os
import subprocess
import tempfile

import tink
from tink import cleartext_keyset_handle, streaming_aead
from tink.proto import aes_gcm_hkdf_streaming_pb2, common_pb2, tink_pb2

import attachment as a
import waxwing as w

FIRST, OTHER = a.BLOCK - a.HEADER - a.TAG, a.BLOCK - a.TAG
BOUNDARIES = [
    0, 1, 2, 100, FIRST - 1, FIRST, FIRST + 1, FIRST + OTHER - 1, FIRST + OTHER, FIRST + OTHER + 1, FIRST + 2 * OTHER, FIRST + 3 * OTHER + 7, 1 << 20,
]


class KeptOpen(io.BytesIO):
    """Tink closes what it has written to."""

    def close(self):
        pass


class Tink:
    name = "tink"

    def __init__(self):
        streaming_aead.register()

    def primitive(self, key):
        params = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingParams(
            ciphertext_segment_size=65536, derived_key_size=32, hkdf_hash_type=common_pb2.SHA256)
        value = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey(version=0, key_value=key, params=params)
        data = tink_pb2.KeyData(
            type_url="type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey", value=value.SerializeToString(),
            key_material_type=tink_pb2.KeyData.SYMMETRIC)
        entry = tink_pb2.Keyset.Key(key_data=data, status=tink_pb2.ENABLED, key_id=1, output_prefix_type=tink_pb2.RAW)
        keyset = tink_pb2.Keyset(primary_key_id=1, key=[entry])
        handle = cleartext_keyset_handle.read(tink.BinaryKeysetReader(keyset.SerializeToString()))
        return handle.primitive(streaming_aead.StreamingAead)

    def seal(self, key, plain, associated_data=b"waxwing/1 attachment"):
        out = KeptOpen()
        with self.primitive(key).new_encrypting_stream(out, associated_data) as stream:
            if plain:
                stream.write(plain)
        return out.getvalue()

    def open(self, key, sealed):
        with self.primitive(key).new_decrypting_stream(io.BytesIO(sealed), b"waxwing/1 attachment") as stream:
            return stream.read()


class Exchange:
    """`program` is asked as `keyctl attachment` is; files go through a folder."""

    def __init__(self, program, rng, count, tally):
        self.program, self.tally = program, tally
        self.rng, self.peer = rng, Tink()
        self.lengths = BOUNDARIES + [rng.randrange(4 * a.BLOCK) for _ in range(count)]

    def run(self):
        with tempfile.TemporaryDirectory(prefix="waxwing-attachments-") as folder:
            self.folder = folder
            for length in self.lengths:
                plain = self.rng.randbytes(length)
                self.to_peer(plain)
                self.from_peer(plain)

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def taken(self, name):
        """The bytes of a file, which is then gone; None where there is none."""
        if not os.path.exists(self.path(name)):
            return None
        with open(self.path(name), "rb") as f:
            data = f.read()
        os.remove(self.path(name))
        return data

    def ask(self, *words):
        done = subprocess.run(self.program + list(words), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode("utf-8")

    def to_peer(self, plain):
        name = "%d bytes" % len(plain)
        self.put("plain", plain)
        status, out = self.ask("seal", "plain", "--output", "sealed", "--url", "https://cdn.example/1")
        sealed = self.taken("sealed")
        if status != 0 or sealed is None:
            return self.tally.judge("tink opens our attachments", name, "sealing ended with %d" % status)
        claim = w.load(out)
        key = w.unb64url(claim["key"])
        fault = None if w.unb64url(claim["sha256"]) == hashlib.sha256(sealed).digest() else "another sha256"
        self.tally.judge("the claim names the file", name, fault)
        self.tally.judge("tink opens our attachments", name, None if self.peer_opens(key, sealed) == plain else "other bytes")
        again = a.seal(key, sealed[1:33], sealed[33:40], plain)
        self.tally.judge("ours is byte for byte the second implementation's", name, None if again == sealed else "other bytes")
        for about, altered in self.alterations(sealed):
            got = self.peer_opens(key, altered)
            # Tink 1.16.1 does not look at what is behind a last segment that is full; what it gives is the plaintext all the same.
            passed_over = got == plain and altered.startswith(sealed) and len(sealed) % a.BLOCK == 0
            self.tally.judge("tink refuses our attachments altered", "%s, %s" % (name, about), None if got is None or passed_over else "opened")

    def peer_opens(self, key, sealed):
        try:
            return self.peer.open(key, sealed)
        except Exception:
            return None

    def from_peer(self, plain):
        name, key = "%d bytes" % len(plain), self.rng.randbytes(32)
        sealed = self.peer.seal(key, plain)
        self.tally.judge("we open tink's attachments", name, None if self.we_open(key, sealed) == (0, plain) else "not opened, or other bytes")
        altered = self.alterations(sealed)
        altered.append(("other associated data", self.peer.seal(key, plain, b"waxwing/2 attachment")))
        for about, data in altered:
            got = self.we_open(key, data)
            self.tally.judge("we refuse tink's attachments altered", "%s, %s" % (name, about), None if got == (65, None) else "status %d" % got[0])

    def we_open(self, key, sealed):
        self.put("theirs", sealed)
        self.put("image", w.compact({"key": w.b64url(key)}).encode("ascii"))
        status, _ = self.ask("open", "theirs", "--image", "image", "--output", "opened")
        return status, self.taken("opened")

    def alterations(self, sealed):
        flipped = bytearray(sealed)
        position = self.rng.randrange(len(sealed))
        flipped[position] ^= 1 << self.rng.randrange(8)
        cut = self.rng.randrange(len(sealed))
        return [("a bit of byte %d" % position, bytes(flipped)), ("cut at %d" % cut, sealed[:cut]), ("a byte cut off", sealed[:-1]), ("a byte added", sealed + b"\0")]
