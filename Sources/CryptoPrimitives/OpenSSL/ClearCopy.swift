/// A copy of a long text while it is sealed in place, to see what of it was left as it was; wiped when it goes.
///
/// Messages have none, of which services carry 5,120 bytes at most, in base64: to copy and compare one would cost the hot path more
/// than a hundredth, and a cipher that fails at such lengths is found by known answers. A block of an attachment has 64 KiB, where a
/// cipher that stops in the middle would leave a picture to be seen; its seal takes many times as long as the comparison.
struct ClearCopy: ~Copyable {
    /// No text of a message is as long.
    static let shortestByteCount = 4_097

    private static let chunkByteCount = 16
    private let memory: UnsafeMutableRawBufferPointer

    /// Nil for a shorter text.
    init?(of text: UnsafeRawBufferPointer) {
        guard text.count >= Self.shortestByteCount else { return nil }
        memory = .allocate(byteCount: text.count, alignment: Self.chunkByteCount)
        memory.copyMemory(from: text)
    }

    deinit {
        wipe(memory)
        memory.deallocate()
    }

    /// Whether any 16 bytes that the cipher takes at once are there as they were in the text; by chance they are so once in 2^128.
    func isSeen(in sealed: UnsafeRawBufferPointer) -> Bool {
        guard sealed.count >= memory.count else { return true }
        for start in stride(from: 0, through: memory.count - Self.chunkByteCount, by: Self.chunkByteCount) {
            let before = memory.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self)
            if before == sealed.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self) { return true }
        }
        return false
    }
}
