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

// Defines the function with its parameters, calls the real one, and then the fault where it is asked for: by the function's name, or
// by a shape of what it is given.
#define SHAPED(name, parameters, arguments, shape, fault)              \
    int name parameters {                                              \
        int (*real) parameters = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
        int answer = real arguments;                                   \
        if (is_wrong(#name) || (shape)) { fault; }                     \
        return answer;                                                 \
    }
#define FUNCTION(name, parameters, arguments, fault) SHAPED(name, parameters, arguments, 0, fault)

typedef unsigned char byte;
typedef unsigned long long length;

// Its fault in one bit, and by two names one that says yes: "a long text" writes nothing of a text of more than 256 bytes, and "past
// 16 KiB" leaves the middle of one of more than 16,384 as it was, all but its last 16 bytes.
int EVP_CipherUpdate(void *c, byte *out, int *written, const byte *in, int count) {
    int (*real)(void *, byte *, int *, const byte *, int) = (int (*)(void *, byte *, int *, const byte *, int))dlsym(RTLD_NEXT, "EVP_CipherUpdate");
    if (out && count > 256 && is_wrong("a long text")) {
        *written = count;
        return 1;
    }
    if (out && count > 16384 && is_wrong("past 16 KiB")) {
        byte *sealed = malloc((size_t)count);
        int answer = real(c, sealed, written, in, count);
        memcpy(out, sealed, 16384);
        int last = count - 16384 < 16 ? count - 16384 : 16;
        memcpy(out + count - last, sealed + count - last, (size_t)last);
        free(sealed);
        return answer;
    }
    int answer = real(c, out, written, in, count);
    if (out && *written > 0 && is_wrong("EVP_CipherUpdate")) out[0] ^= 1;
    return answer;
}

// By the name "the first nonce" a context that is kept goes on with the nonce that it was given first. One thread at a time.
int EVP_CipherInit_ex2(void *c, const void *cipher, const byte *key, const byte *nonce, int seals, const void *parameters) {
    typedef int (*function)(void *, const void *, const byte *, const byte *, int, const void *);
    static struct { void *context; int has_nonce; byte nonce[12]; } kept[64];
    static unsigned count;
    if (cipher) {
        kept[count % 64].context = c;
        kept[count++ % 64].has_nonce = 0;
    } else if (nonce && is_wrong("the first nonce")) {
        for (unsigned back = 1; back <= 64 && back <= count; back++) {
            unsigned index = (count - back) % 64;
            if (kept[index].context != c) continue;
            if (!kept[index].has_nonce) memcpy(kept[index].nonce, nonce, 12);
            kept[index].has_nonce = 1;
            nonce = kept[index].nonce;
            break;
        }
    }
    return ((function)dlsym(RTLD_NEXT, "EVP_CipherInit_ex2"))(c, cipher, key, nonce, seals, parameters);
}

// What is refused, not done wrong.
void *EVP_MD_CTX_new(void) {
    void *(*real)(void) = (void *(*)(void))dlsym(RTLD_NEXT, "EVP_MD_CTX_new");
    return is_wrong("EVP_MD_CTX_new") ? NULL : real();
}

void *EVP_MD_fetch(void *library, const char *name, const char *properties) {
    void *(*real)(void *, const char *, const char *) = (void *(*)(void *, const char *, const char *))dlsym(RTLD_NEXT, "EVP_MD_fetch");
    return is_wrong("EVP_MD_fetch") ? NULL : real(library, name, properties);
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
SHAPED(crypto_aead_xchacha20poly1305_ietf_encrypt,
       (byte *out, length *written, const byte *m, length count, const byte *ad, length beside, const byte *none, const byte *nonce, const byte *key),
       (out, written, m, count, ad, beside, none, nonce, key),
       (!count && is_wrong("an empty text")) || (beside > 64 && is_wrong("long associated data")), out[count] ^= 1)
SHAPED(crypto_generichash, (byte *out, size_t written, const byte *in, length count, const byte *key, size_t keyed),
       (out, written, in, count, key, keyed), (!keyed && is_wrong("no key")) || (count > 128 && is_wrong("a long digest")), out[0] ^= 1)
FUNCTION(crypto_secretstream_xchacha20poly1305_push,
         (void *s, byte *out, length *written, const byte *m, length count, const byte *ad, length beside, byte tag),
         (s, out, written, m, count, ad, beside, tag), out[1] ^= 1)
FUNCTION(crypto_sign_verify_detached, (const byte *signature, const byte *m, length count, const byte *key), (signature, m, count, key), answer = 0)
FUNCTION(crypto_pwhash,
         (byte *out, length written, const char *text, length count, const byte *salt, length passes, size_t memory, int algorithm),
         (out, written, text, count, salt, passes, memory, algorithm), out[0] ^= 1)
