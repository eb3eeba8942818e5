internal import CryptoPrimitives

/// Writes the parts of a backup into chunks that are sealed as they fill. Plain bytes are in guarded memory alone.
final class BackupWriter {
    static let chunkByteCount = 65_536
    /// The longest part.
    static let largestPart = 1 << 20

    private let file: NewFile
    private let stream: SecretStream
    private let header: [UInt8]
    private let chunk: GuardedBuffer
    private var used = 0

    init(_ file: NewFile, _ header: BackupHeader, _ key: GuardedBytes) throws(KeyStoreError) {
        self.file = file
        let path = file.path.string
        let streamKey = try header.streamKey(key, path)
        let check = try header.check(key, path)
        do {
            let (stream, streamHeader) = try SecretStream.sealing(streamKey)
            self.stream = stream
            self.header = header.fields + check + streamHeader
            chunk = try GuardedBuffer(count: Self.chunkByteCount)
        } catch { throw KeyStoreError(error, path) }
        try file.write(self.header)
    }

    func put(_ text: String) throws(KeyStoreError) { try put(form: 1, Array(text.utf8)) }

    func put(_ value: FieldValue) throws(KeyStoreError) {
        switch value {
        case .null: try put(form: 4, [])
        case .integer(let integer): try put(form: 3, withUnsafeBytes(of: integer.bigEndian) { Array($0) })
        case .text(let text): try put(text)
        case .blob(let blob): try put(form: 2, blob)
        }
    }

    func put(_ secret: SymmetricKey) throws(KeyStoreError) {
        try secret.withUnsafeBytes { bytes in
            Result { () throws(KeyStoreError) in
                try begin(form: 2, bytes.count)
                try append(bytes)
            }
        }.get()
    }

    /// Seals the last chunk; nothing can be put after it.
    func finish() throws(KeyStoreError) { try flush(isLast: true) }

    private func put(form: UInt8, _ content: [UInt8]) throws(KeyStoreError) {
        try begin(form: form, content.count)
        try content.withUnsafeBytes { bytes in Result { () throws(KeyStoreError) in try append(bytes) } }.get()
    }

    private func begin(form: UInt8, _ count: Int) throws(KeyStoreError) {
        guard count <= Self.largestPart else {
            throw KeyStoreError(.badInput, file.path.string, "a value of \(count) bytes is too long for a backup")
        }
        let head = [form] + withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) }
        try head.withUnsafeBytes { bytes in Result { () throws(KeyStoreError) in try append(bytes) } }.get()
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(KeyStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Full chunks wait for one more byte, so that the last is never empty.
            if used == Self.chunkByteCount { try flush(isLast: false) }
            let count = min(rest.count, Self.chunkByteCount - used)
            UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[used..<used + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            used += count
            rest = rest.dropFirst(count)
        }
    }

    private func flush(isLast: Bool) throws(KeyStoreError) {
        let plain = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<used])
        let sealed: [UInt8]
        do { sealed = try stream.seal(plain, associatedData: header, isLast: isLast) } catch {
            throw KeyStoreError(error, file.path.string)
        }
        try file.write(sealed)
        used = 0
    }
}
