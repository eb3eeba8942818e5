// Preloaded into a keyctl by SelfTestFaultTests: the one function of OpenSSL or libsodium that WAXWING_TEST_WRONG names answers
// wrong, in one bit of its result, or says yes where it has to say no, from the call on that WAXWING_TEST_FROM counts (1 where there
// is none). All others go through.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int is_wrong(const char *name) {
    const char *wrong = getenv("WAXWING_TEST_WRONG");
    if (!wrong || strcmp(wrong, name) != 0) return 0;
    static long calls;
    const char *from = getenv("WAXWING_TEST_FROM");
    return ++calls >= (from ? atol(from) : 1);
}

// Defines the function with its parameters, calls the real one, and then the fault where it is asked for.
#define FUNCTION(name, parameters, arguments, fault)                   \
    int name parameters {                                              \
        int (*real) parameters = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
        int answer = real arguments;                                   \
        if (is_wrong(#name)) { fault; }                                \
        return answer;                                                 \
    }

typedef unsigned char byte;
typedef unsigned long long length;

// Its fault in one bit, and, by the name "a long text", one that writes nothing of a text of more than 256 bytes and says yes.
int EVP_CipherUpdate(void *c, byte *out, int *written, const byte *in, int count) {
    int (*real)(void *, byte *, int *, const byte *, int) = (int (*)(void *, byte *, int *, const byte *, int))dlsym(RTLD_NEXT, "EVP_CipherUpdate");
    if (out && count > 256 && is_wrong("a long text")) {
        *written = count;
        return 1;
    }
    int answer = real(c, out, written, in, count);
    if (out && *written > 0 && is_wrong("EVP_CipherUpdate")) out[0] ^= 1;
    return answer;
}

// By the name "getrandom" it always gives the same, by "no getrandom" nothing at all; both say that all is well.
ssize_t getrandom(void *out, size_t count, unsigned flags) {
    ssize_t (*real)(void *, size_t, unsigned) = (ssize_t (*)(void *, size_t, unsigned))dlsym(RTLD_NEXT, "getrandom");
    if (is_wrong("no getrandom")) return (ssize_t)count;
    if (!is_wrong("getrandom")) return real(out, count, flags);
    for (size_t index = 0; index < count; index++) ((byte *)out)[index] = (byte)(index * 7 + 1);
    return (ssize_t)count;
}

FUNCTION(EVP_CipherFinal_ex, (void *c, byte *out, int *written), (c, out, written), answer = 1)
FUNCTION(EVP_DigestFinal_ex, (void *c, byte *out, unsigned *written), (c, out, written), out[0] ^= 1)
FUNCTION(EVP_PKEY_derive, (void *c, byte *out, size_t *written), (c, out, written), if (out) out[0] ^= 1)
FUNCTION(crypto_aead_xchacha20poly1305_ietf_encrypt,
         (byte *out, length *written, const byte *m, length count, const byte *ad, length beside, const byte *none, const byte *nonce, const byte *key),
         (out, written, m, count, ad, beside, none, nonce, key), out[0] ^= 1)
FUNCTION(crypto_generichash, (byte *out, size_t written, const byte *in, length count, const byte *key, size_t keyed),
         (out, written, in, count, key, keyed), out[0] ^= 1)
FUNCTION(crypto_secretstream_xchacha20poly1305_push,
         (void *s, byte *out, length *written, const byte *m, length count, const byte *ad, length beside, byte tag),
         (s, out, written, m, count, ad, beside, tag), out[1] ^= 1)
FUNCTION(crypto_sign_verify_detached, (const byte *signature, const byte *m, length count, const byte *key), (signature, m, count, key), answer = 0)
FUNCTION(crypto_pwhash,
         (byte *out, length written, const char *text, length count, const byte *salt, length passes, size_t memory, int algorithm),
         (out, written, text, count, salt, passes, memory, algorithm), out[0] ^= 1)
