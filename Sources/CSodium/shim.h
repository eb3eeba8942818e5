#pragma once
#include <sodium.h> // Argon2id, XChaCha20-Poly1305, keyed BLAKE2b, guarded memory
