internal import CryptoPrimitives
internal import Glibc

/// Reads a backup file: all of it is authenticated before any of it is believed.
final class BackupReader {
    let path: AbsolutePath
    private let file: Descriptor
    private let header: [UInt8]
    private let key: GuardedBytes
    private let chunk: GuardedBuffer
    private var stream: SecretStream
    private var position = 0
    private var filled = 0
    private var isAtEnd = false
    private var chunkNumber = 0
    private var sealed = [UInt8](repeating: 0, count: BackupWriter.chunkByteCount + SecretStream.overheadByteCount)

    /// - Throws: `.notFound` when it is not there, `.badInput` for no backup or a secret of the other kind,
    ///   `.authenticationFailed` for the wrong secret.
    convenience init(_ path: AbsolutePath, _ secret: UnlockSecret) throws(KeyStoreError) {
        let number = Glibc.open(path.string, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 || (errno != ENOENT && errno != ENOTDIR) else {
            throw KeyStoreError(.notFound, path.string, "there is no such file")
        }
        let file = try Descriptor(number, path.string, "it cannot be opened")
        guard try file.status(path.string).isRegular else {
            throw KeyStoreError(.badInput, path.string, "it is not a regular file")
        }
        try self.init(file, path) { (header) throws(KeyStoreError) in try header.key(secret, path.string) }
    }

    /// What was just written, before it has its name.
    /// - Parameter key: what its secret came to.
    convenience init(_ file: NewFile, _ key: GuardedBytes) throws(KeyStoreError) {
        try self.init(try file.rewound(), file.path) { (_) in key }
    }

    private init(
        _ file: Descriptor, _ path: AbsolutePath, _ key: (BackupHeader) throws(KeyStoreError) -> GuardedBytes
    ) throws(KeyStoreError) {
        self.file = file
        self.path = path
        var header = [UInt8](repeating: 0, count: BackupHeader.byteCount)
        let count = try Self.read(file, path, &header)
        header.removeLast(header.count - count)
        let fields = try BackupHeader(header, path.string)
        let key = try key(fields)
        guard try fields.check(key, path.string) == Array(header[42..<74]) else {
            throw KeyStoreError(
                .authenticationFailed, path.string,
                fields.argon2id == nil ? "the key file does not open it" : "the passphrase does not open it")
        }
        self.header = header
        self.key = try fields.streamKey(key, path.string)
        do {
            chunk = try GuardedBuffer(count: BackupWriter.chunkByteCount)
            stream = try SecretStream.opening(self.key, header: Array(header[74...]))
        } catch { throw KeyStoreError(error, path.string) }
    }

    /// Reads it through, to its authenticated end, and begins anew.
    /// - Parameter goesOn: asked now and then; false ends it.
    /// - Throws: `.damaged` for anything that was changed, taken away or added.
    func authenticate(_ goesOn: (Int) -> Bool) throws(KeyStoreError) {
        while !isAtEnd {
            guard goesOn(0) else { throw .interrupted }
            try nextChunk()
        }
        guard lseek(file.number, off_t(header.count), SEEK_SET) == header.count else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be read")
        }
        do { stream = try SecretStream.opening(key, header: Array(header[74...])) } catch {
            throw KeyStoreError(error, path.string)
        }
        (position, filled, isAtEnd, chunkNumber) = (0, 0, false, 0)
    }

    func text() throws(KeyStoreError) -> String {
        guard case .text(let text) = try value() else { throw malformed }
        return text
    }

    func integer() throws(KeyStoreError) -> Int64 {
        guard case .integer(let integer) = try value() else { throw malformed }
        return integer
    }

    func value() throws(KeyStoreError) -> FieldValue {
        let (form, count) = try head()
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { bytes in Result { () throws(KeyStoreError) in try take(bytes) } }.get()
        switch (form, count) {
        case (1, _):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed }
            return .text(text)
        case (2, _): return .blob(bytes)
        case (3, 8): return .integer(Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case (4, 0): return .null
        default: throw malformed
        }
    }

    /// Nil for none.
    func secret() throws(KeyStoreError) -> SymmetricKey? {
        let (form, count) = try head()
        if form == 4, count == 0 { return nil }
        guard form == 2 else { throw malformed }
        var failure: KeyStoreError?
        do {
            return try WipedBytes.with(count) { (bytes) throws(SodiumError) in
                do throws(KeyStoreError) { try take(bytes) } catch {
                    failure = error
                    throw SodiumError.notAuthentic
                }
                return SymmetricKey(data: UnsafeRawBufferPointer(bytes))
            }
        } catch { throw failure ?? KeyStoreError(error, path.string) }
    }

    /// - Throws: `.damaged` unless everything was taken.
    func end() throws(KeyStoreError) {
        guard position == filled else { throw malformed }
        if !isAtEnd { throw malformed }
    }

    /// Something authentic that is not what this version writes.
    var malformed: KeyStoreError { KeyStoreError(.damaged, path.string, "what is in it is of another form") }

    private func head() throws(KeyStoreError) -> (form: UInt8, count: Int) {
        var head = [UInt8](repeating: 0, count: 5)
        try head.withUnsafeMutableBytes { bytes in Result { () throws(KeyStoreError) in try take(bytes) } }.get()
        let count = head[1...].reduce(0) { $0 << 8 | Int($1) }
        guard count <= BackupWriter.largestPart else { throw malformed }
        return (head[0], count)
    }

    private func take(_ output: UnsafeMutableRawBufferPointer) throws(KeyStoreError) {
        var offset = 0
        while offset < output.count {
            if position == filled {
                guard !isAtEnd else { throw malformed }
                try nextChunk()
            }
            let count = min(output.count - offset, filled - position)
            UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk.bytes[position..<position + count]))
            offset += count
            position += count
        }
    }

    private func nextChunk() throws(KeyStoreError) {
        chunkNumber += 1
        let count = try Self.read(file, path, &sealed)
        guard count > 0 else { throw KeyStoreError(.damaged, path.string, "it is cut short after chunk \(chunkNumber - 1)") }
        do {
            let opened = try stream.open(sealed[..<count], into: chunk.bytes, associatedData: header)
            (position, filled, isAtEnd) = (0, opened.count, opened.isLast)
        } catch {
            throw KeyStoreError(.damaged, path.string, "chunk \(chunkNumber) is not as it was written, or cut short")
        }
        guard isAtEnd else { return }
        var more: [UInt8] = [0]
        guard try Self.read(file, path, &more) == 0 else {
            throw KeyStoreError(.damaged, path.string, "something follows its end")
        }
    }

    /// As many bytes as there are, up to the length of the array.
    private static func read(_ file: Descriptor, _ path: AbsolutePath, _ bytes: inout [UInt8]) throws(KeyStoreError) -> Int {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file.number, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw KeyStoreError(errno: errno, path.string, "it cannot be read") }
            if count == 0 { break }
            offset += count
        }
        return offset
    }
}
