internal import CSodium

/// Argon2id version 1.3 with one lane (RFC 9106): from a passphrase to the KEK of a slot.
public enum Argon2id {
    /// The number of random bytes of a salt.
    public static let saltByteCount = 16

    /// The number of bytes of a KEK.
    public static let keyByteCount = 32

    /// The KEK of 32 bytes.
    /// - Parameter salt: 16 bytes, random for every slot.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)`` of the salt, ``SodiumError/notDerived(memoryMiB:)`` when
    ///   the memory is not to be had.
    public static func derive(
        from passphrase: Passphrase, salt: [UInt8], parameters: Argon2idParameters
    ) throws(SodiumError) -> GuardedBytes {
        guard salt.count == saltByteCount else { throw .wrongLength(of: "Argon2id salt", byteCount: salt.count) }
        return try GuardedBytes(
            count: keyByteCount,
            filledBy: { (key) throws(SodiumError) in
                guard let start = key.bindMemory(to: UInt8.self).baseAddress else {
                    throw .failed(operation: "Argon2id")
                }
                let status = passphrase.bytes.withPointer { secret in
                    crypto_pwhash(
                        start, UInt64(key.count), secret, UInt64(passphrase.bytes.count), salt,
                        UInt64(parameters.passes), parameters.memoryMiB << 20,
                        crypto_pwhash_ALG_ARGON2ID13)
                }
                guard status == 0 else { throw .notDerived(memoryMiB: parameters.memoryMiB) }
            })
    }
    /// Whether an encoded hash (`$argon2id$v=19$m=8,t=1,p=1$SALT$HASH`) is that of the passphrase: for published answers, whose
    /// lanes and lengths ``derive(from:salt:parameters:)`` does not have. False also for what libsodium does not take.
    package static func matches(_ encoded: String, passphrase: [UInt8]) throws(SodiumError) -> Bool {
        try SodiumLibrary.prepare()
        return passphrase.withUnsafeBytes { bytes in
            // libsodium takes no null pointer for a passphrase of no bytes.
            let secret = bytes.bindMemory(to: CChar.self).baseAddress
            return withUnsafePointer(to: CChar(0)) { crypto_pwhash_argon2id_str_verify(encoded, secret ?? $0, UInt64(bytes.count)) == 0 }
        }
    }
}
