"""Where a secret may be, and why. Everything else is a leak. A line that a whole run never needs is a fault too."""

import re

# (kind of secret, kind of place, which place, why)
ALLOWED = (
    ("enrollment secret", "stdout", r"device (new|show)", "the enrollment document is what these print, for the backend"),
    ("enrollment secret", "file", r"inputs/enrollment-.*", "the operator's copy of that document, which this test wrote"),
    ("split key", "stdout", r"split export", "the one verb that exports a raw key; refused on a terminal"),
    ("split key", "file", r"carried/\.?split-[^/]*", "the file that `split export` was told to make, mode 0600"),
    ("KEK", "file", r"keys/\.?[^/]+\.key(\.new-\w+)?", "a key file is the key; mode 0600"),
    ("audit key", "file", r"[^/]+\.audit(\.new-\w+)?", "the start key of the log, in the file that --audit-key names; mode 0600"),
    ("plaintext", "file", r"inputs/(body|request)-.*", "what the operator wants sealed, which this test wrote"),
    ("plaintext", "stdout", r"open, opened", "what a push says is shown once it has opened"),
    ("plaintext", "stdout", r"open, a duplicate", "it is shown again, without a sound"),
    ("plaintext", "stdout", r"kat", "content of known-answer cases that open"),
    ("plaintext", "argv", r"seal, title in argv", "--title takes the title from the command line; --request does not"),
    ("mistyped passphrase", "argv", r"unlock, passphrase in argv", "the operator's own mistake, which must not go further"),
    ("class key", "socket", r"unix, .*", "to and from the session agent; any other socket is a fault by itself"),
    ("class key", "keyring", r"a key, .*", "the session holder: what only the kernel keeps"),
) + tuple(
    (kind, "file", r"inputs/cases-.*", "known-answer cases hold keys, which this test wrote") for kind in ("d", "C", "enrollment secret")
)


def rule_for(secret, place):
    """The line that allows it; None when it is a leak."""
    for rule in ALLOWED:
        kind, where, what, _ = rule
        if kind == secret.kind and where == place.kind and re.fullmatch(what, place.what, re.S):
            return rule
    return None
