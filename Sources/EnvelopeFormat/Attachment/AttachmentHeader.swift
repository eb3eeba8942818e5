import CryptoPrimitives

/// What the segments of one file have in common: the salt of their key, the beginning of their nonces.
struct AttachmentHeader: Equatable, Sendable {
    /// 32 bytes.
    let salt: [UInt8]
    /// 7 bytes.
    let prefix: [UInt8]

    /// - Throws: ``FormatError`` for other lengths.
    init(salt: [UInt8], prefix: [UInt8]) throws(FormatError) {
        guard salt.count == AttachmentLayout.saltByteCount else { throw FormatError(field: "salt", reason: "not of 32 bytes") }
        guard prefix.count == AttachmentLayout.prefixByteCount else {
            throw FormatError(field: "nonce prefix", reason: "not of 7 bytes")
        }
        self.salt = salt
        self.prefix = prefix
    }

    /// Nil unless the bytes are a header with its length in front.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == AttachmentLayout.headerByteCount, Int(bytes[0]) == bytes.count else { return nil }
        salt = Array(bytes[1..<1 + AttachmentLayout.saltByteCount])
        prefix = Array(bytes[(1 + AttachmentLayout.saltByteCount)...])
    }

    var bytes: [UInt8] { [UInt8(AttachmentLayout.headerByteCount)] + salt + prefix }

    /// The key of the file's segments: HKDF-SHA256 of the claim's key (RFC 5869), 32 bytes.
    func segmentKey(_ key: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: salt, info: AttachmentLayout.associatedData,
            outputByteCount: AttachmentLayout.keyByteCount)
    }

    /// The nonce of a segment, 12 bytes.
    /// - Throws: `tooLong` where four bytes do not hold the index.
    func nonce(_ index: UInt64, isLast: Bool) throws(AttachmentError) -> [UInt8] {
        guard index < AttachmentLayout.segmentLimit else { throw .tooLong }
        let counter = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: index >> $0) }
        return prefix + counter + [isLast ? 1 : 0]
    }
}
