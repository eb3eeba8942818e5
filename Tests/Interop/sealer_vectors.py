"""What the state of a conversation's key allows (docs/spec/envelope.md, section 7): what make_vectors.py writes into sealer.json."""

import refusals
from waxwing import compact

LAST_EPOCH, TIMELY_SEALS, MOST_SEALS = 65535, 2**31, 2**32
CASES = (
    ("an active secret", "active", 0, 0, "seal", "granted"), ("before it is time", "active", 3, TIMELY_SEALS - 1, "seal", "granted"), ("when it is time", "active", 3, TIMELY_SEALS, "seal", "ratcheted"),
    ("the last seal of the last epoch", "active", LAST_EPOCH, MOST_SEALS - 1, "seal", "granted"), ("the last epoch", "active", LAST_EPOCH, 0, "seal", "granted"),
    ("suspended", "suspended", 0, 0, "seal", "S-suspended"), ("retired", "deactivated", 0, 0, "seal", "S-ended"), ("compromised, and nothing came after it", "compromised", 0, 0, "seal", "S-ended"),
    ("destroyed, and nothing came after it", "destroyed", 0, 0, "seal", "S-ended"), ("one seal too many", "active", LAST_EPOCH, MOST_SEALS, "seal", "S-seals"),
    ("a ratchet", "active", 0, 7, "ratchet", "ratcheted"), ("to the last epoch", "active", LAST_EPOCH - 1, 7, "ratchet", "ratcheted"), ("past the last epoch", "active", LAST_EPOCH, 7, "ratchet", "S-last-epoch"),
)


def allowed(state, epoch, granted, ask):
    if state != "active":
        return "refused"
    if ask == "ratchet":
        return "ratcheted" if epoch < LAST_EPOCH else "refused"
    if granted >= TIMELY_SEALS and epoch < LAST_EPOCH:
        return "ratcheted"
    return "granted" if granted < MOST_SEALS else "refused"


class Maker:
    """Nothing in it is drawn."""

    count = len(CASES)

    def __init__(self, random):
        self.cases = []

    def make(self):
        rules = refusals.Rules.of_folder()
        for about, state, epoch, granted, ask, what in CASES:
            case = {"id": "k-%02d" % (len(self.cases) + 1), "about": about}
            outcome = what
            if what[0].isupper():
                case["rule"], outcome = what, rules.outcome(what)
            got = allowed(state, epoch, granted, ask)
            if got != outcome:
                raise SystemExit("sealer %s (%s): %s, expected %s" % (case["id"], about, got, outcome))
            self.cases.append({**case, "state": state, "epoch": epoch, "granted": granted, "ask": ask, "expect": got})
        return self

    def document(self):
        head = compact({"format": "waxwing-sealer/1", "about": "What the state of a key allows; docs/spec/cases.md, section 9, says how this is read.", "count": self.count})
        return ("%s,\n\"cases\":[\n%s\n]}\n" % (head[:-1], ",\n".join(map(compact, self.cases)))).encode("ascii")
