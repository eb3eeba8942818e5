public import FoundationEssentials

extension AES {
    /// AES-256 in Galois/Counter Mode (NIST SP 800-38D), with 12-byte nonces and 16-byte tags only.
    public enum GCM {}
}

extension AES.GCM {
    /// Seals the message and authenticates the data beside it, under a 256-bit key; `incorrectKeySize` for any other.
    /// Without a nonce a random one is drawn (at most 2^32 times under one key, SP 800-38D 8.3).
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
        authenticating authenticatedData: AuthenticatedData
    ) throws -> SealedBox {
        let nonce = nonce ?? Nonce()
        let context = try AESGCMContext(key: key, for: .sealing)
        var whole = Data()
        try message.withContiguousBytes { (plaintext) throws(CryptoKitError) in
            try authenticatedData.withContiguousBytes { (authenticated) throws(CryptoKitError) in
                try nonce.withBytes { (nonceBytes) throws(CryptoKitError) in
                    let byteCount = Nonce.byteCount + plaintext.count + tagByteCount
                    whole = try Data(byteCount: byteCount) { (output) throws(CryptoKitError) in
                        output.copyMemory(from: nonceBytes)
                        try context.seal(
                            plaintext, nonce: nonceBytes, authenticating: authenticated,
                            into: UnsafeMutableRawBufferPointer(rebasing: output[Nonce.byteCount...]))
                    }
                }
            }
        }
        return SealedBox(nonce: nonce, whole: whole)
    }

    /// Seals the message with nothing authenticated beside it; otherwise as above.
    public static func seal<Plaintext: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox {
        try seal(message, using: key, nonce: nonce, authenticating: [UInt8]())
    }

    /// Opens the box under a 256-bit key, or throws `authenticationFailure`; no byte of an unauthentic message is kept.
    public static func open<AuthenticatedData: DataProtocol>(
        _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
    ) throws -> Data {
        let context = try AESGCMContext(key: key, for: .opening)
        var message = Data()
        try sealedBox.whole.withBytes { (whole) throws(CryptoKitError) in
            try authenticatedData.withContiguousBytes { (authenticated) throws(CryptoKitError) in
                let nonce = UnsafeRawBufferPointer(rebasing: whole[..<Nonce.byteCount])
                let sealed = UnsafeRawBufferPointer(rebasing: whole[Nonce.byteCount...])
                message = try Data(byteCount: sealed.count - tagByteCount) { (output) throws(CryptoKitError) in
                    try context.open(sealed, nonce: nonce, authenticating: authenticated, into: output)
                }
            }
        }
        return message
    }

    /// Opens a box with nothing authenticated beside it; otherwise as above.
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
        try open(sealedBox, using: key, authenticating: [UInt8]())
    }

    /// The length of a key, in bytes.
    static let keyByteCount = 32
    /// The length of a tag, in bytes.
    static let tagByteCount = 16
}
