public import FoundationEssentials

/// SHA-256 (FIPS 180-4), by OpenSSL.
public struct SHA256: HashFunction {
    /// The value of a finished hash.
    public typealias Digest = SHA256Digest

    /// 64 bytes.
    public static var blockByteCount: Int { DigestContext.blockByteCount }
    /// 32 bytes.
    public static var byteCount: Int { DigestContext.digestByteCount }

    private var context: DigestContext

    /// The hash of nothing yet; traps where OpenSSL has no SHA-256.
    public init() {
        context = orTrap { () throws(CryptoKitError) -> DigestContext in try DigestContext() }
    }

    /// The digest of the bytes.
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: data)
        return hash.finalize()
    }

    /// Takes in the bytes.
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions {
            region.withUnsafeBytes { update(bufferPointer: $0) }
        }
    }

    /// Takes in the bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        let shared = isKnownUniquelyReferenced(&context) ? nil : context
        context = orTrap { [context] () throws(CryptoKitError) -> DigestContext in
            let own = if let shared { try DigestContext(copying: shared) } else { context }
            try own.update(bufferPointer)
            return own
        }
    }

    /// The digest of what was taken in so far; more can be taken in afterwards.
    public func finalize() -> SHA256Digest {
        SHA256Digest { (bytes) throws(CryptoKitError) in try DigestContext(copying: context).finish(into: bytes) }
    }
}
