// CryptoPrimitives has CryptoKit's names, and is tested as such.
@_exported public import CryptoPrimitives
