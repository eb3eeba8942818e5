#pragma once
#include <sodium.h> // Argon2id, XChaCha20-Poly1305, keyed BLAKE2b, guarded memory
// 10.3 is the interface of 1.0.18.
#if SODIUM_LIBRARY_VERSION_MAJOR * 1000 + SODIUM_LIBRARY_VERSION_MINOR < 10003
#error "libsodium 1.0.18 is the least"
#endif
