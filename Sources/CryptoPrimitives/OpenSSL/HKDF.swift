public import FoundationEssentials

/// HKDF (RFC 5869) with SHA-256.
public struct HKDF<H: HashFunction>: Sendable {}

extension HKDF where H == SHA256 {
    /// Extract and expand (RFC 5869 2): `outputByteCount` bytes, 1 to 8,160; traps outside that.
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        expand(
            pseudoRandomKey: extract(inputKeyMaterial: inputKeyMaterial, salt: salt), info: info,
            outputByteCount: outputByteCount)
    }

    /// Extract and expand without a salt; limits as above.
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [UInt8](), info: info, outputByteCount: outputByteCount)
    }

    /// Extract and expand without info; limits as above.
    public static func deriveKey<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: [UInt8](), outputByteCount: outputByteCount)
    }

    /// Extract and expand with neither; limits as above.
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
        deriveKey(
            inputKeyMaterial: inputKeyMaterial, salt: [UInt8](), info: [UInt8](), outputByteCount: outputByteCount)
    }

    /// HKDF-Extract (RFC 5869 2.2): a pseudorandom key of 32 bytes; without a salt, 32 zeros.
    public static func extract<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt?
    ) -> HashedAuthenticationCode<H> {
        orTrap { () throws(CryptoKitError) -> HashedAuthenticationCode<H> in
            var keyed: HMACContext?
            try salt?.withContiguousBytes { (bytes) throws(CryptoKitError) in keyed = try HMACContext(key: bytes) }
            let context = if let keyed { keyed } else { try HMACContext(key: .empty) }
            try inputKeyMaterial.storage.withUnsafeBytes { (bytes) throws(CryptoKitError) in try context.update(bytes) }
            return try HashedAuthenticationCode(
                storage: SecretBytes(byteCount: DigestContext.digestByteCount) { (code) throws(CryptoKitError) in
                    try context.finish(into: code)
                })
        }
    }

    /// HKDF-Expand (RFC 5869 2.3): `outputByteCount` bytes, 1 to 8,160; traps outside that.
    public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
        pseudoRandomKey prk: PRK, info: Info?, outputByteCount: Int
    ) -> SymmetricKey {
        precondition(HKDFExpansion.outputByteCounts.contains(outputByteCount))
        return orTrap { () throws(CryptoKitError) -> SymmetricKey in
            try expansion(pseudoRandomKey: prk, info: info, outputByteCount: outputByteCount)
        }
    }

    /// As ``expand(pseudoRandomKey:info:outputByteCount:)``, for lengths that a file gives: throws `incorrectParameterSize` where
    /// that traps.
    package static func expansion<PRK: ContiguousBytes, Info: DataProtocol>(
        pseudoRandomKey prk: PRK, info: Info?, outputByteCount: Int
    ) throws(CryptoKitError) -> SymmetricKey {
        var storage = SecretBytes(copying: .empty)
        try prk.withBytes { (bytes) throws(CryptoKitError) in
            let keyed = try HMACContext(key: bytes)
            storage = try HKDFExpansion.expand(keyed, outputByteCount: outputByteCount) { (context) throws(CryptoKitError) in
                if let info { try context.update(info) }
            }
        }
        return SymmetricKey(storage: storage)
    }
}
