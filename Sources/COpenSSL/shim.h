#pragma once
#include <openssl/evp.h>        // ciphers, digests, key agreement
#include <openssl/ec.h>         // the curve's identifier
#include <openssl/core_names.h> // parameter names for EVP_PKEY_fromdata
#include <openssl/param_build.h>
#include <openssl/hmac.h>       // HMAC
#include <openssl/crypto.h>     // OPENSSL_cleanse, CRYPTO_memcmp
#include <openssl/err.h>        // ERR_clear_error
