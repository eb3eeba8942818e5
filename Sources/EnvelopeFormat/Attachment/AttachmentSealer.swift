package import CryptoPrimitives

/// Seals one file as its bytes come in (attachment spec, section 3). Not for two threads at once.
package final class AttachmentSealer {
    private let header: AttachmentHeader
    private let segmentKey: AESGCMSealingKey
    private let block = AttachmentBlock(limit: AttachmentLayout.blockByteCount - AttachmentLayout.tagByteCount)
    private var index: UInt64 = 0

    /// With a salt and a nonce prefix that are drawn for this file.
    /// - Parameter key: 32 bytes, random, for this file alone.
    /// - Throws: ``FormatError`` for a key of another length, ``SystemRandomBytes/Unavailable``.
    package convenience init(key: SymmetricKey) throws {
        try self.init(
            key: key, salt: try SystemRandomBytes.bytes(AttachmentLayout.saltByteCount),
            prefix: try SystemRandomBytes.bytes(AttachmentLayout.prefixByteCount))
    }

    /// With those given: for known answers and test support alone. Two files of one key and salt disclose each other.
    package init(key: SymmetricKey, salt: [UInt8], prefix: [UInt8]) throws {
        guard key.bitCount == AttachmentLayout.keyByteCount * 8 else {
            throw FormatError(field: "key", reason: "not of 32 bytes")
        }
        header = try AttachmentHeader(salt: salt, prefix: prefix)
        segmentKey = try AESGCMSealingKey(header.segmentKey(key))
        header.bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            block.take(&rest)
        }
    }

    /// Takes the next bytes of the file, as many or few as there are.
    /// - Parameter write: is handed the next bytes of the sealed file, at most 65,536 at a time, which it must not keep.
    /// - Throws: ``AttachmentError``, or what `write` throws. Nothing more is sealed then.
    package func update(_ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        try block.add(bytes) { try seal(isLast: false, write) }
    }

    /// The file has ended: seals the last segment.
    /// - Throws: ``AttachmentError``, or what `write` throws.
    package func finish(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        try block.end { try seal(isLast: true, write) }
    }

    private func seal(isLast: Bool, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let start = index == 0 ? AttachmentLayout.headerByteCount : 0
        let nonce = try header.nonce(index, isLast: isLast)
        let bytes = block.bytes(and: AttachmentLayout.tagByteCount)
        let plain = UnsafeRawBufferPointer(rebasing: block.bytes()[start...])
        try nonce.withUnsafeBytes { nonce in
            try segmentKey.seal(
                plain, nonce: nonce, authenticating: UnsafeRawBufferPointer(start: nil, count: 0),
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
        index += 1
        try write(UnsafeRawBufferPointer(bytes))
        block.empty()
    }
}
