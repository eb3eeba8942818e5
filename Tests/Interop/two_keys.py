"""A ciphertext and tag of AES-256-GCM that are right under two keys, since GCM does not commit to its key (NIST SP 800-38D, section 6)."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ONE = 1 << 127


def multiplied(a, b):
    """In GF(2^128), in the order of bits that GCM has."""
    out = 0
    for i in range(128):
        if b >> (127 - i) & 1:
            out ^= a
        a = a >> 1 ^ (0xE1 << 120 if a & 1 else 0)
    return out


def inverse(a):
    """a to the power of 2^128 - 2."""
    out = ONE
    for _ in range(127):
        a = multiplied(a, a)
        out = multiplied(out, a)
    return out


def of_two_blocks(keys, nonce, first):
    """(32 bytes of ciphertext, tag) under both keys and one nonce of 12 bytes; `first` are the first 16 bytes of ciphertext."""
    hashed, masks = [], []
    for key in keys:
        block = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        hashed.append(int.from_bytes(block.update(bytes(16)), "big"))
        masks.append(int.from_bytes(block.update(nonce + b"\0\0\0\1"), "big"))
    c1, lengths = int.from_bytes(first, "big"), 256
    (h, g), (h2, g2) = hashed, [multiplied(a, a) for a in hashed]
    h3, g3 = multiplied(h2, h), multiplied(g2, g)
    # What the tags differ by, without the second block, over what they differ by in it.
    rest = masks[0] ^ masks[1] ^ multiplied(lengths, h ^ g) ^ multiplied(c1, h3 ^ g3)
    c2 = multiplied(rest, inverse(h2 ^ g2))
    tag = multiplied(c1, h3) ^ multiplied(c2, h2) ^ multiplied(lengths, h) ^ masks[0]
    return first + c2.to_bytes(16, "big"), tag.to_bytes(16, "big")
