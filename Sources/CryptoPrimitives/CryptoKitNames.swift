// On Apple's systems this module is CryptoKit. Elsewhere the folder OpenSSL/ declares the same names.
#if canImport(Darwin)
    @_exported public import CryptoKit
#endif
