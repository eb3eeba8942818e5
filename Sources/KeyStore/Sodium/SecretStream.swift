internal import CSodium

/// A file in chunks that are authenticated one after another, and whose end is authenticated too: libsodium's
/// secretstream (XChaCha20-Poly1305, a counter in the nonce, a tag that says which chunk is the last).
final class SecretStream {
    /// By how many bytes a sealed chunk is longer.
    static let overheadByteCount = 17
    static let headerByteCount = 24

    private let memory: GuardedBuffer
    private var state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state>

    private init(_: Void) throws(SodiumError) {
        memory = try GuardedBuffer(count: MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size)
        state = memory.bytes.bindMemory(to: crypto_secretstream_xchacha20poly1305_state.self).baseAddress.unsafelyUnwrapped
    }

    /// For sealing; the header is new.
    static func sealing(_ key: GuardedBytes) throws(SodiumError) -> (stream: SecretStream, header: [UInt8]) {
        let stream = try SecretStream(())
        var header = [UInt8](repeating: 0, count: headerByteCount)
        try check(key)
        let status = key.withPointer { crypto_secretstream_xchacha20poly1305_init_push(stream.state, &header, $0) }
        guard status == 0 else { throw .failed(operation: "stream") }
        return (stream, header)
    }

    /// For opening what was sealed with that header.
    static func opening(_ key: GuardedBytes, header: [UInt8]) throws(SodiumError) -> SecretStream {
        let stream = try SecretStream(())
        try check(key)
        guard header.count == headerByteCount else { throw .wrongLength(of: "stream header", byteCount: header.count) }
        let status = key.withPointer { crypto_secretstream_xchacha20poly1305_init_pull(stream.state, header, $0) }
        guard status == 0 else { throw .notAuthentic }
        return stream
    }

    func seal(_ chunk: UnsafeRawBufferPointer, associatedData: [UInt8], isLast: Bool) throws(SodiumError) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: chunk.count + Self.overheadByteCount)
        let tag = isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        let status = crypto_secretstream_xchacha20poly1305_push(
            state, &sealed, nil, chunk.bindMemory(to: UInt8.self).baseAddress, UInt64(chunk.count), associatedData,
            UInt64(associatedData.count), tag)
        guard status == 0 else { throw .failed(operation: "stream") }
        return sealed
    }

    /// Opens a chunk into memory that has room for it; returns its length, and whether it is the last.
    /// - Throws: ``SodiumError/notAuthentic``.
    func open(
        _ sealed: ArraySlice<UInt8>, into output: UnsafeMutableRawBufferPointer, associatedData: [UInt8]
    ) throws(SodiumError) -> (count: Int, isLast: Bool) {
        guard sealed.count >= Self.overheadByteCount, sealed.count - Self.overheadByteCount <= output.count else {
            throw .wrongLength(of: "chunk", byteCount: sealed.count)
        }
        var (count, tag): (UInt64, UInt8) = (0, 0)
        let status = sealed.withUnsafeBufferPointer { sealed in
            crypto_secretstream_xchacha20poly1305_pull(
                state, output.bindMemory(to: UInt8.self).baseAddress, &count, &tag, sealed.baseAddress,
                UInt64(sealed.count), associatedData, UInt64(associatedData.count))
        }
        guard status == 0 else { throw .notAuthentic }
        return (Int(count), tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }

    private static func check(_ key: GuardedBytes) throws(SodiumError) {
        guard key.count == 32 else { throw .wrongLength(of: "stream key", byteCount: key.count) }
    }
}
