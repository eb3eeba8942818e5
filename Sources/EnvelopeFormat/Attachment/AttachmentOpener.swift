public import CryptoPrimitives

/// Opens one sealed attachment as its bytes come in (attachment spec, section 6).
///
/// What is released is authentic, and in order. That it is the whole file is known only when ``finish(_:)`` has returned:
/// until then what was released may be the beginning of a file that was cut, and is not to be used. Not for two threads at once.
public final class AttachmentOpener {
    private let key: SymmetricKey
    private let block = AttachmentBlock(limit: AttachmentLayout.blockByteCount)
    private var header: AttachmentHeader?
    /// Of the file's segments, once the header is read.
    private var segmentKey: SymmetricKey?
    private var index: UInt64 = 0

    /// - Parameter key: the 32 bytes of the claim.
    /// - Throws: ``FormatError`` for a key of another length.
    public init(key: SymmetricKey) throws(FormatError) {
        guard key.bitCount == AttachmentLayout.keyByteCount * 8 else {
            throw FormatError(field: "key", reason: "not of 32 bytes")
        }
        self.key = key
    }

    /// Takes the next bytes of the sealed file, as many or few as there are.
    /// - Parameter release: is handed the plaintext of each segment that turned out authentic, at most 65,520 bytes, which
    ///   are wiped when it returns.
    /// - Throws: ``AttachmentError``, or what `release` throws. Nothing more is released then.
    public func update(_ bytes: UnsafeRawBufferPointer, _ release: (UnsafeRawBufferPointer) throws -> Void) throws {
        try block.add(bytes) { try open(isLast: false, release) }
    }

    /// The sealed file has ended: opens the last segment. The file is whole when this returns.
    /// - Throws: ``AttachmentError``, or what `release` throws.
    public func finish(_ release: (UnsafeRawBufferPointer) throws -> Void) throws {
        try block.end { try open(isLast: true, release) }
    }

    private func open(isLast: Bool, _ release: (UnsafeRawBufferPointer) throws -> Void) throws {
        let bytes = UnsafeRawBufferPointer(block.bytes())
        let isFirst = index == 0
        let start = isFirst ? AttachmentLayout.headerByteCount : 0
        // Only a file of nothing has an empty segment.
        let least = isFirst ? AttachmentLayout.smallestByteCount : AttachmentLayout.tagByteCount + 1
        guard bytes.count >= least else { throw AttachmentError.malformed }
        if isFirst { try begin(UnsafeRawBufferPointer(rebasing: bytes[..<start])) }
        guard let header, let segmentKey else { throw AttachmentError.malformed }
        let nonce = try header.nonce(index, isLast: isLast)
        let tagStart = bytes.count - AttachmentLayout.tagByteCount
        var plain: Data
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: UnsafeRawBufferPointer(rebasing: bytes[start..<tagStart]),
                tag: UnsafeRawBufferPointer(rebasing: bytes[tagStart...]))
            plain = try AES.GCM.open(box, using: segmentKey)
        } catch {
            throw AttachmentError.notAuthentic
        }
        defer { plain.withUnsafeMutableBytes { wipe($0) } }
        index += 1
        block.empty()
        guard !plain.isEmpty else { return }
        try plain.withUnsafeBytes(release)
    }

    private func begin(_ bytes: UnsafeRawBufferPointer) throws(AttachmentError) {
        guard let header = AttachmentHeader(bytes) else { throw .malformed }
        self.header = header
        segmentKey = header.segmentKey(key)
    }
}
