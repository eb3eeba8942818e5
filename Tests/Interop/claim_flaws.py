"""Ways to break the claims (C-) and the JWK of a bundle (K-): (rule from its table down, about, changed members); `...` takes one out."""

import forms
import waxwing as w
from waxwing import b64url

LIFE = 31 * 86400


def of_form(rule, name, broken, **around):
    return [(rule + "/" + form, "%s, %s" % (name, form), {name: value, **around}) for form, value in broken.items()]


def claims(good):
    """Of claims with `jti`, `iat`, `exp`, `sub`, `title` and `body`. The claims that are no object are the caller's."""
    iat, out = good["iat"], []

    def add(rule, about, **changes):
        out.append((rule, about, changes))

    for value in (iat, None):
        add("C-nbf", "nbf %s" % value, nbf=value)
    add("C-jti-absent", "jti absent", jti=...)
    for value in (1, None):
        add("C-jti-string", "jti %s" % value, jti=value)
    out += of_form("C-jti", "jti", forms.base64url(good["jti"]))
    for count in (0, 15, 17):
        add("C-jti-length", "jti of %d bytes" % count, jti=b64url(bytes(count)))
    add("C-iat-absent", "iat absent", iat=...)
    out += of_form("C-iat", "iat", forms.integer(iat), exp=...)
    add("C-iat/I-minus", "iat -0", iat=w.Raw("-0"), exp=...)
    add("C-iat/I-large", "iat of 400 digits", iat=w.Raw("9" * 400), exp=...)
    out += of_form("C-exp", "exp", forms.integer(good["exp"]))
    add("C-exp-order", "exp equal to iat", exp=iat)
    add("C-exp-order", "exp before iat", exp=1)
    add("C-exp-late", "exp one second past 31 days", exp=iat + LIFE + 1)
    add("C-sub-absent", "sub absent", sub=...)
    for value in (None, [good["sub"]]):
        add("C-sub-string", "sub %s" % value, sub=value)
    for value in ("stair", good["sub"] + " ", good["sub"].upper(), "", good["sub"] + "\0"):
        add("C-sub", "sub %s" % ascii(value), sub=value)
    for name in ("title", "subtitle", "body"):
        for value in (None, 1, True, []):
            add("C-" + name, "%s %s" % (name, value), **{name: value})
    add("C-nothing", "nothing to show", title=..., body=..., subtitle="x")
    add("C-nothing", "nothing but an image", title=..., body=..., image={"url": "https://a"})
    for name in ("loc_title", "loc_body"):
        rule = "C-" + name.replace("_", "-")
        for value in ("x", None, []):
            add(rule, "%s %s" % (name, value), **{name: value})
        for about, value in (("no key", {"args": {}}), ("key null", {"key": None, "args": {}})):
            add(rule + "-key", "%s: %s" % (name, about), **{name: value})
        for about, value in (("no args", {"key": "k"}), ("args an array", {"key": "k", "args": []}), ("args null", {"key": "k", "args": None})):
            add(rule + "-args", "%s: %s" % (name, about), **{name: value})
        for value in (1, None, {}):
            add(rule + "-value", "%s: an argument %s" % (name, value), **{name: {"key": "k", "args": {"a": "x", "n": value}}})
    for name in ("thread", "category"):
        for value in (1, None):
            add("C-" + name, "%s %s" % (name, value), **{name: value})
        add("C-%s-empty" % name, name + " empty", **{name: ""})
        for value in ("t" * 65, "\u00df" * 32 + "s"):
            add("C-%s-long" % name, "%s of 65 bytes, %d characters" % (name, len(value)), **{name: value})
    for value in ("https://a", None, []):
        add("C-image", "image %s" % value, image=value)
    add("C-image-url-absent", "image without url", image={"sha256": b64url(bytes(32))})
    for value in (1, None):
        add("C-image-url", "image url %s" % value, image={"url": value})
    for value in ("http://a", "HTTPS://a", " https://a", "//a", ""):
        add("C-image-scheme", "image url %r" % value, image={"url": value})
    add("C-image-empty", "image url of the scheme alone", image={"url": "https://"})
    for value in ("https://a b", "https://a\x7f", "https://\u00e9", "https://a\n"):
        add("C-image-character", "image url %s" % ascii(value), image={"url": value})
    for name in ("sha256", "key"):
        for value in (1, None):
            add("C-%s-string" % name, "image %s %s" % (name, value), image={"url": "https://a", name: value})
        for form, value in forms.base64url(b64url(bytes(range(32)))).items():
            add("C-%s/%s" % (name, form), "image %s, %s" % (name, form), image={"url": "https://a", name: value})
        for text in ("", b64url(bytes(31)), b64url(bytes(33)), "0" * 64):
            add("C-%s-length" % name, "image %s of %d characters" % (name, len(text)), image={"url": "https://a", name: text})
    for value in ([], None, "x", 1):
        add("C-data", "data %s" % value, data=value)
    for value in (False, 1, None, "true"):
        add("C-trunc", "trunc %s" % value, trunc=value)
    return out


def jwk(good, handle):
    """Of the JWK of a bundle; without what is the same in all (`kty`, `use`)."""
    iat, out = good["iat"], []

    def add(rule, about, **changes):
        out.append((rule, about, changes))

    def absent(rule, name):
        add(rule, name + " absent", **{name: ...})
        for value in (None, 1):
            add(rule, "%s %s" % (name, value), **{name: value})

    absent("K-k-absent", "k")
    out += of_form("K-k", "k", forms.base64url(good["k"]))
    for count in (0, 16, 31, 33):
        add("K-k-length", "k of %d bytes" % count, k=b64url(bytes(count)))
    absent("K-kid-absent", "kid")
    out += of_form("K-kid", "kid", forms.kid(handle))
    absent("K-alg-absent", "jwe_alg")
    for value in ("A256GCM", "DIR", "HPKE-0", "split", ""):
        add("K-alg", "jwe_alg %r" % value, jwe_alg=value)
    absent("K-sub-absent", "sub")
    add("K-sub-empty", "sub empty", sub="")
    add("K-sub-long", "sub of 65 characters", sub="s" * 65)
    for value in ("a b", "a\x7f", "\u00e9"):
        add("K-sub-character", "sub %s" % ascii(value), sub=value)
    for name, around in (("seq", {}), ("iat", {}), ("exp", {})):
        add("K-%s-absent" % name, name + " absent", **{name: ...})
        out += of_form("K-" + name, name, forms.integer(good[name]), **around)
    add("K-exp-order", "exp equal to iat", exp=iat)
    add("K-exp-order", "exp before iat", exp=1)
    add("K-exp-late", "exp one second past 31 days", exp=iat + LIFE + 1)
    absent("K-class-absent", "accessible")
    for value in ("always", "when-passcode-set-this-device-only", "After-First-Unlock", ""):
        add("K-class", "accessible %r" % value, accessible=value)
    return out


def jwk_fixed():
    """Of what is the same in every JWK of a bundle."""
    return [("K-kty", "kty %s" % value, {"kty": value}) for value in ("EC", "OCT", None, ...)] + [("K-use", "use %s" % value, {"use": value}) for value in ("sig", None, ...)]
