#pragma once
#include <openssl/evp.h>        // ciphers, digests, key agreement
#include <openssl/ec.h>         // the curve's identifier, the public point of a scalar
#include <openssl/core_names.h> // parameter names for EVP_PKEY_fromdata
#include <openssl/crypto.h>     // OPENSSL_cleanse, CRYPTO_memcmp
#include <openssl/err.h>        // ERR_clear_error
#if OPENSSL_VERSION_NUMBER < 0x30000090L
#error "OpenSSL 3.0.9 is the least"
#endif
#ifdef __linux__
#include <sys/random.h> // getrandom: not in the Glibc module
#endif

// Composite macros, which Swift does not import.
static const int WAXWING_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;
static const int WAXWING_EVP_PKEY_KEYPAIR = EVP_PKEY_KEYPAIR;

// OSSL_PARAM keeps the pointer to its name. A Swift string handed to OSSL_PARAM_construct_* lives for that call only,
// so the lists are built here, where the names are literals.
#define WAXWING_P256_PARAM_COUNT 4

// params: WAXWING_P256_PARAM_COUNT elements. point: 65 bytes. scalar: 32 bytes, native (little-endian) order, or NULL.
static inline void waxwing_p256_params(OSSL_PARAM *params, unsigned char *point, unsigned char *scalar) {
    *params++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)SN_X9_62_prime256v1, 0);
    *params++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 65);
    if (scalar != NULL) *params++ = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, scalar, 32);
    *params = OSSL_PARAM_construct_end();
}
