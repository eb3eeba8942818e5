public import FoundationEssentials

/// HMAC (RFC 2104) with SHA-256.
public struct HMAC<H: HashFunction>: Sendable {
    /// The key's type.
    public typealias Key = SymmetricKey
    /// The code's type.
    public typealias MAC = HashedAuthenticationCode<H>

    private var context: HMACContext
}

extension HMAC where H == SHA256 {
    /// The code of nothing yet, under a key of any length.
    public init(key: SymmetricKey) {
        context = orTrap { () throws(CryptoKitError) -> HMACContext in
            try key.storage.withUnsafeBytes { (bytes) throws(CryptoKitError) in try HMACContext(key: bytes) }
        }
    }

    /// Takes in the bytes.
    public mutating func update<D: DataProtocol>(data: D) {
        let shared = isKnownUniquelyReferenced(&context) ? nil : context
        context = orTrap { [context] () throws(CryptoKitError) -> HMACContext in
            let own = if let shared { try HMACContext(copying: shared) } else { context }
            try own.update(data)
            return own
        }
    }

    /// The 32-byte code of what was taken in so far; more can be taken in afterwards.
    public func finalize() -> MAC {
        orTrap { () throws(CryptoKitError) -> MAC in
            let copy = try HMACContext(copying: context)
            return try MAC(
                storage: SecretBytes(byteCount: DigestContext.digestByteCount) { (code) throws(CryptoKitError) in
                    try copy.finish(into: code)
                })
        }
    }

    /// The 32-byte code of the data under the key.
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
        orTrap { () throws(CryptoKitError) -> MAC in
            try MAC(
                storage: HMACContext.code(key: key.storage) { (context) throws(CryptoKitError) in
                    try context.update(data)
                })
        }
    }

    /// Whether the code is that of the data under the key, all 32 bytes of it, compared in constant time.
    public static func isValidAuthenticationCode<D: DataProtocol>(
        _ authenticationCode: MAC, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool {
        self.authenticationCode(for: authenticatedData, using: key) == authenticationCode
    }

    /// Whether the code is that of the data under the key, all 32 bytes of it, compared in constant time.
    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool {
        let expected = self.authenticationCode(for: authenticatedData, using: key)
        return expected.withUnsafeBytes { mine in
            authenticationCode.withUnsafeBytes { constantTimeEqual(mine, $0) }
        }
    }
}

extension HMACContext {
    /// The 32-byte code of what the body takes in.
    static func code(
        key: SecretBytes, _ body: (HMACContext) throws(CryptoKitError) -> Void
    ) throws(CryptoKitError) -> SecretBytes {
        let context = try key.withUnsafeBytes { (bytes) throws(CryptoKitError) in try HMACContext(key: bytes) }
        try body(context)
        return try SecretBytes(byteCount: DigestContext.digestByteCount) { (code) throws(CryptoKitError) in
            try context.finish(into: code)
        }
    }
}
