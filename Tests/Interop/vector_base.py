"""What the vectors are made of: made-up keys, devices and messages, and the cases of a file."""

import base64
import hashlib

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import answer_cases
import refusals
import waxwing as w
from waxwing import b64url, compact

NOW = 1900000000
DAY = 86400
GRACE = 35 * DAY
ALERT = {"alert": {"title": "Waxwing", "body": "Something arrived"}, "sound": "default"}
PLACEHOLDER = "Something arrived"


class Stream:
    """Bytes from a seed: SHA-256 over seed and counter. Good for made-up keys, and only for those."""

    def __init__(self, seed):
        self.seed, self.count = seed.encode("utf-8"), 0

    def take(self, length):
        out = b""
        while len(out) < length:
            out += hashlib.sha256(self.seed + b"/" + str(self.count).encode("ascii")).digest()
            self.count += 1
        return out[:length]

    def text(self, length):
        return b64url(self.take(length))

    def scalar(self):
        while True:
            candidate = self.take(32)
            if 0 < int.from_bytes(candidate, "big") < w.P256_ORDER:
                return candidate


class Phone:
    """A device and the ring that describes it in a case file."""

    def __init__(self, random, **more):
        self.scalar = random.scalar()
        self.public = w.public_jwk(w.point_of(w.private_key(self.scalar)))
        self.enrollment_secret = random.text(32)
        self.dkid = w.thumbprint(self.public)
        self.device = {"jwk": dict(self.public, d=b64url(self.scalar)), "enrollment_secret": self.enrollment_secret, **more}

    def ring(self, keys, **more):
        return {"device": self.device, "allow_split": False, "keys": keys, **more}


class Key:
    """A handle at a held epoch."""

    def __init__(self, random, cid, alg, epoch=0, **more):
        self.cid, self.alg, self.epoch = cid, alg, epoch
        self.handle = random.text(12)
        self.secrets = {}
        lowest = more.pop("lowest", epoch)
        secret = random.take(32)
        for n in range(lowest, epoch + 1):
            self.secrets[n] = secret
            secret = w.next_secret(secret, cid)
        self.entry = {
            "sub": cid, "jwe_alg": alg, "kid": self.kid(epoch), "k": self.k(epoch), "state": "active", "open_until": None,
            "accessible": "after-first-unlock", "older": [],
        }
        self.entry.update(more)

    def kid(self, n=None):
        return "%s.%d" % (self.handle, self.epoch if n is None else n)

    def secret(self, n=None):
        n = self.epoch if n is None else n
        base = max(m for m in self.secrets if m <= n)
        return w.stepped(self.secrets[base], self.cid, n - base)

    def k(self, n=None):
        return b64url(self.secret(n))

    def older(self, n, open_until):
        return {"kid": self.kid(n), "k": self.k(n), "open_until": open_until}


class Base:
    def __init__(self, seed):
        self.random = Stream(seed)
        self.rules = refusals.Rules.of_folder()
        self.files = {}
        self.make_rings()

    # What is held

    def make_rings(self):
        r = self.random
        self.phone = Phone(r)
        self.other_phone = Phone(r)
        self.river = Key(r, "river-7", "dir")
        self.harbour = Key(r, "harbour-2", "HPKE-7")
        self.stair = Key(r, "stair", "dir", 9, lowest=3)
        self.stair.entry["older"] = [self.stair.older(6, NOW + 20 * DAY), self.stair.older(3, NOW - 1)]
        self.ladder = Key(r, "ladder", "HPKE-7", 12, lowest=7)
        self.ladder.entry["older"] = [self.ladder.older(7, NOW + 3 * DAY)]
        self.meadow = Key(r, "meadow", "dir", state="deactivated", open_until=NOW + DAY)
        self.attic = Key(r, "attic", "dir", state="deactivated", open_until=NOW - 1)
        self.attic_hpke = Key(r, "attic-2", "HPKE-7", state="active", open_until=NOW - 1)
        self.cellar = Key(r, "cellar", "dir", state="compromised")
        self.cellar_hpke = Key(r, "cellar-2", "HPKE-7", state="suspended", open_until=NOW - 1)
        self.porch = Key(r, "porch", "dir", state="suspended")
        self.rubble = Key(r, "rubble", "dir", state="destroyed")
        self.study = Key(r, "study", "dir", accessible="when-unlocked")
        self.desk = Key(r, "desk", "HPKE-7", accessible="when-unlocked-this-device-only")
        self.shelf = Key(r, "shelf", "dir", accessible="after-first-unlock-this-device-only")
        self.summit = Key(r, "summit", "dir", 65535)
        self.foothill = Key(r, "foothill", "HPKE-7", 65023)
        self.punctuation = Key(r, "".join(map(chr, range(0x21, 0x61))), "dir")
        main = [
            self.river, self.harbour, self.stair, self.ladder, self.meadow, self.attic, self.attic_hpke, self.cellar,
            self.cellar_hpke, self.porch, self.rubble, self.study, self.desk, self.shelf, self.summit, self.foothill, self.punctuation,
        ]
        self.rings = {"main": self.phone.ring([k.entry for k in main]), "empty": self.phone.ring([])}
        guarded = Phone(r, accessible="when-unlocked")
        self.guarded, self.guarded_key = guarded, Key(r, "guarded", "HPKE-7")
        self.rings["device-when-unlocked"] = guarded.ring([self.guarded_key.entry])
        swapped = dict(self.river.entry, k=r.text(32))
        self.rings["other-bytes"] = self.phone.ring([swapped, dict(self.harbour.entry, k=r.text(32))])
        self.rings["other-device-key"] = self.other_phone.ring([self.harbour.entry])
        self.split, self.split_before = r.text(32), r.text(32)
        one = {"sub": "split-1", "k": self.split, "state": "active", "open_until": NOW + 90 * DAY, "accessible": "after-first-unlock"}
        two = dict(one, k=self.split_before, state="deactivated", open_until=NOW + DAY)

        def split(name, keys, allow=True):
            self.rings[name] = self.phone.ring([self.river.entry], allow_split=allow, split_keys=keys)

        split("split", [one])
        split("split-two", [one, two])
        split("split-same-bytes", [one, dict(two, k=self.split)])
        split("split-none", [])
        split("split-off", [one], False)
        split("split-compromised", [dict(one, state="compromised")])
        split("split-suspended", [dict(one, state="suspended"), dict(two, state="compromised")])
        split("split-retired", [dict(one, open_until=NOW - 1)])
        split("split-locked", [dict(one, accessible="when-unlocked")])
        split("split-mixed", [one, dict(two, accessible="when-unlocked")])
        self.r1 = Key(r, "delta", "dir", 5, lowest=5)
        self.b1 = Key(r, "delta", "HPKE-7")
        self.gone = Key(r, "gone", "dir", state="compromised")
        self.wiped = Key(r, "wiped", "dir", state="destroyed")
        self.aged = Key(r, "aged", "dir", 9, lowest=3)
        self.aged.entry["older"] = [self.aged.older(6, NOW - 1)]
        self.away = Key(r, "away", "dir", 600, lowest=0)
        self.shut = Key(r, "shut", "dir", 3, lowest=0, accessible="when-unlocked")
        self.slow = Key(r, "slow", "dir", 2, lowest=0, state="deactivated", open_until=NOW + 2 * DAY)
        self.bundled = Phone(r, last_seq=1000)
        self.elder = Key(r, "elder", "dir", 5, lowest=2)
        self.elder.entry["older"] = [self.elder.older(2, NOW + DAY)]
        keys = [k.entry for k in (self.r1, self.b1, self.gone, self.slow, self.wiped, self.aged, self.away, self.shut, self.elder)]
        self.rings["bundles"] = self.bundled.ring(keys, allow_split=True, split_keys=[one])
        self.rings["bundles-split-locked"] = self.bundled.ring(keys, allow_split=True, split_keys=[dict(one, accessible="when-unlocked")])
        self.bundled_guarded = Phone(r, last_seq=1000, accessible="when-unlocked")
        self.rings["bundles-when-unlocked"] = self.bundled_guarded.ring([])
        self.first, self.second, self.third = (Key(r, "trio", "dir") for _ in range(3))
        self.short = Key(r, "trio-short", "dir", open_until=NOW + 3 * DAY)
        self.short_next = Key(r, "trio-short", "dir")
        self.refused = Key(r, "trio-refused", "dir", state="suspended")
        self.refused_next = Key(r, "trio-refused", "dir")
        trio = (self.first, self.second, self.third, self.short, self.short_next, self.refused, self.refused_next)
        self.rings["handles"] = self.phone.ring([k.entry for k in trio])
        self.ending = Key(r, "ending", "dir", state="deactivated", open_until=NOW + 10 * DAY)
        self.rings["ending"] = self.phone.ring([self.ending.entry])

    # Building blocks

    def env(self, **more):
        return {"now": NOW, "lock": "unlocked", "seen": [], "replay": "ok", "limit": 4096, **more}

    def claims(self, key, **more):
        out = {"jti": self.random.text(16), "iat": NOW - 60, "exp": NOW + DAY, "sub": key.cid, "title": "Ana", "body": "See you at 6"}
        out.update(more)
        return {k: v for k, v in out.items() if v is not ...}

    def spec(self, key, claims, n=None, phone=None, **more):
        """The `seal` object of a case."""
        out = {
            "rendering": "apns", "alg": key.alg, "key": {"sub": key.cid, "kid": key.kid(n), "k": key.k(n)}, "claims": claims,
            "pad": "none", "limit": 4096, "type": "chat", "body": PLACEHOLDER, "aps": ALERT,
        }
        if key.alg == "dir":
            out["iv"] = self.random.text(12)
        else:
            out["device"] = (phone or self.phone).public
            out["ephemeral"] = b64url(self.random.scalar())
        out.update(more)
        return {k: v for k, v in out.items() if v is not ...}

    def header(self, key, n=None, phone=None, **changes):
        if key.alg == "dir":
            out = {"alg": "dir", "enc": "A256GCM", "kid": key.kid(n), "typ": "wax1"}
        else:
            psk_id = b64url(key.kid(n).encode("ascii"))
            out = {"alg": "HPKE-7", "kid": (phone or self.phone).dkid, "psk_id": psk_id, "typ": "wax1"}
        out.update(changes)
        return {k: v for k, v in out.items() if v is not ...}

    def jwe(self, key, plaintext=None, n=None, header=None, **use):
        """A compact string whose header and plaintext are exactly as given, authentic unless `use` says otherwise."""
        if plaintext is None:
            plaintext = compact(self.claims(key)).encode("utf-8")
        if header is None:
            header = compact(self.header(key, n)).encode("utf-8")
        elif isinstance(header, dict):
            header = compact(header).encode("utf-8")
        part = b64url(header)
        aad = use.get("aad", part.encode("ascii"))
        if key.alg == "dir":
            iv = self.random.take(use.get("iv_length", 12))
            sealed = AESGCM(use.get("aes_key") or w.gcm_key(key.secret(n), key.cid)).encrypt(iv, plaintext, aad)
            return ".".join((part, "", b64url(iv), b64url(sealed[:-16]), b64url(sealed[-16:])))
        enc, sealed = w.hpke_seal(
            w.public_bytes((use.get("phone") or self.phone).public), self.random.scalar(),
            use.get("psk", w.preshared_key(key.secret(n), key.cid)), use.get("psk_id", key.kid(n).encode("ascii")),
            aad, plaintext, use.get("info", b""), use.get("mode", w.MODE_PSK), use.get("spelled", lambda point: point))
        return ".".join((part, b64url(enc), "", b64url(sealed), ""))

    def bare(self, sealed):
        """The smallest payload there is around an `encrypted_payload`."""
        return compact({"encrypted_payload": sealed}).encode("utf-8")

    def split_fields(self, text, key=None, aad=None):
        nonce = self.random.take(12)
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        sealed = AESGCM(w.unb64url(key or self.split)).encrypt(nonce, data, aad)
        parts = {"ciphertext": sealed[:-16], "nonce": nonce, "tag": sealed[-16:]}
        return {k: base64.b64encode(v).decode("ascii") for k, v in parts.items()}

    def file(self, name, about):
        self.current = {"format": "waxwing-cases/1", "set": "own", "about": about, "count": 0, "rings": {}, "cases": []}
        self.files[name], self.name, self.numbers = self.current, name, {}

    def add(self, group, about, what, **members):
        """`what` is the outcome, or more of the answer, or the rule that is broken: its outcome is the specification's."""
        number = self.numbers[group] = self.numbers.get(group, 0) + 1
        case = {"id": "w-%s-%s-%03d" % (self.name, group, number), "group": group, "about": about}
        expect = what if isinstance(what, dict) else {"outcome": what}
        if isinstance(what, str) and what[0].isupper():
            case["rule"], expect = what, {"outcome": self.rules.outcome(what)}
        case.update(members)
        ring = case.get("ring")
        if ring:
            self.current["rings"][ring] = self.rings[ring]
        answer = answer_cases.answer(case, self.rings)
        got = {k: v for k, v in answer.items() if k not in ("id", "payload_b64")}
        if "kind" in case or "seal" not in case:
            got = {k: v for k, v in answer.items() if k != "id"}
        elif answer["payload_b64"] != case["payload_b64"]:
            raise SystemExit("%s (%s): sealing again gives other bytes" % (case["id"], about))
        for name, value in expect.items():
            if value is not ... and got.get(name) != value:
                raise SystemExit("%s (%s): %s is %s, expected %s" % (case["id"], about, name, got.get(name), value))
        if set(got) - set(expect) - {"before"}:
            raise SystemExit("%s (%s): not foreseen: %s" % (case["id"], about, set(got) - set(expect)))
        case["expect"] = got
        self.current["cases"].append(case)
        self.current["count"] += 1

    def good(self, group, about, key, claims=None, n=None, ring="main", env=None, spec=None, phone=None, expect=None):
        """A push that opens, and that sealing again gives byte for byte."""
        seal = self.spec(key, claims or self.claims(key), n, phone, **(spec or {}))
        payload = w.seal_payload(seal)
        self.add(
            group, about, expect or {"outcome": "opened", "content": ...}, ring=ring, env=env or self.env(),
            payload_b64=base64.b64encode(payload).decode("ascii"), seal=seal)

    def push(self, group, about, what, payload, ring="main", env=None, before=None, **more):
        if isinstance(payload, str):
            payload = self.bare(payload)
        members = {"ring": ring, "env": env or self.env(), **more}
        if before:
            members["before"] = before
        if what == "opened":
            what = {"outcome": what, "content": ...}
        self.add(group, about, what, **members, payload_b64=base64.b64encode(payload).decode("ascii"))

    def step(self, key, n=None, env=None, jwe=None, phone=None):
        jwe = jwe or self.jwe(key, n=n, header=self.header(key, n, phone), phone=phone)
        return {"env": env or self.env(), "payload_b64": base64.b64encode(self.bare(jwe)).decode("ascii")}

    def bundle(self, key, n=None, seq=1001, phone=None, **changes):
        phone = phone or self.bundled
        request = {
            "device": phone.public, "enrollment_secret": phone.enrollment_secret, "sub": key.cid, "jwe_alg": key.alg, "kid": key.kid(n), "k": key.k(n),
            "seq": seq, "iat": NOW - 60, "exp": NOW + 7 * DAY, "accessible": "after-first-unlock", "ephemeral": b64url(self.random.scalar()),
        }
        request.update(changes)
        return request

    def offer(self, group, about, what, text, ring="bundles", env=None, before=None):
        members = {"kind": "bundle", "ring": ring, "env": env or {"now": NOW, "lock": "unlocked"}, "bundle": text}
        if before:
            members["before"] = before
        self.add(group, about, {"outcome": what, "key": ...} if what == "installed" else what, **members)
