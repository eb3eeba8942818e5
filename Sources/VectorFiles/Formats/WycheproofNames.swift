/// The names that Wycheproof has for what is not used here.
enum WycheproofNames {
    static let algorithms: Set<String> = [
        "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "AEAD-AES-SIV-CMAC", "AEGIS128", "AEGIS128L", "AEGIS256", "AES-CBC-PKCS5",
        "AES-CCM", "AES-CMAC", "AES-EAX", "AES-FF1", "AES-GCM-SIV", "AES-GMAC", "AES-KWP", "AES-SIV-CMAC", "AES-WRAP", "AES-XTS",
        "ARIA-CBC-PKCS5", "ARIA-CCM", "ARIA-CMAC", "ARIA-GCM", "ARIA-KWP", "ARIA-WRAP", "ASCON128", "ASCON128A", "ASCON80PQ",
        "Ascon-AEAD128", "BLS", "CAMELLIA-CBC-PKCS5", "CAMELLIA-CCM", "CAMELLIA-CMAC", "CAMELLIA-GCM", "CAMELLIA-WRAP", "CHACHA20",
        "CHACHA20-POLY1305", "Cobblestone-128", "Cobblestone-256", "DSA", "ECDSA", "EcCurveTest", "HKDF-SHA-1", "HKDF-SHA-384",
        "HKDF-SHA-512", "HMACSHA1", "HMACSHA224", "HMACSHA3-224", "HMACSHA3-256", "HMACSHA3-384", "HMACSHA3-512", "HMACSHA384",
        "HMACSHA512", "HMACSHA512/224", "HMACSHA512/256", "HMACSM3", "JSON Web Crypto", "KMAC128", "KMAC256", "KW", "KWP", "ML-DSA-44",
        "ML-DSA-65", "ML-DSA-87", "ML-KEM", "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "MORUS1280", "MORUS640", "PBKDF2-HMACSHA1",
        "PBKDF2-HMACSHA224", "PBKDF2-HMACSHA256", "PBKDF2-HMACSHA384", "PBKDF2-HMACSHA512", "PrimalityTest", "RSAES-OAEP",
        "RSAES-PKCS1-v1_5", "RSASSA-PKCS1-v1_5", "RSASSA-PSS", "SEED-CCM", "SEED-GCM", "SEED-WRAP", "SM4-CCM", "SM4-GCM", "SipHash-1-3",
        "SipHash-2-4", "SipHash-4-8", "SipHashX-2-4", "SipHashX-4-8", "VMAC-AES", "XDH",
    ]

    /// How many bytes a coordinate has on each curve, those that are used among them.
    static let curves: [String: Int] = [
        "secp224r1": 28, "secp224k1": 28, "secp256r1": 32, "secp256k1": 32, "secp384r1": 48, "secp521r1": 66, "P-256": 32, "P-256K": 32,
        "P-384": 48, "P-521": 66, "FRP256v1": 32, "brainpoolP224r1": 28, "brainpoolP224t1": 28, "brainpoolP256r1": 32,
        "brainpoolP256t1": 32, "brainpoolP320r1": 40, "brainpoolP320t1": 40, "brainpoolP384r1": 48, "brainpoolP384t1": 48,
        "brainpoolP512r1": 64, "brainpoolP512t1": 64, "sect283k1": 36, "sect283r1": 36, "sect409k1": 52, "sect409r1": 52,
        "sect571k1": 72, "sect571r1": 72,
    ]
}
