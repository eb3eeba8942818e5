import CryptoPrimitives

/// The one block of a file that is in memory; wiped when it goes.
final class AttachmentBlock {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes may be put in.
    private let limit: Int
    private(set) var count = 0
    /// Whether the file has, or failed.
    private var isEnded = false

    /// - Parameter limit: how many bytes may be put in, at most ``AttachmentLayout/blockByteCount``.
    init(limit: Int) {
        self.limit = limit
        memory = .allocate(byteCount: AttachmentLayout.blockByteCount, alignment: 16)
        wipe(memory)
    }

    deinit {
        wipe(memory)
        memory.deallocate()
    }

    private var isFull: Bool { count == limit }

    /// What was put in, and so many bytes behind it.
    func bytes(and more: Int = 0) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[..<(count + more)])
    }

    /// Puts in what there is room for, and takes it away from the front of `source`.
    func take(_ source: inout Slice<UnsafeRawBufferPointer>) {
        let byteCount = min(source.count, limit - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(byteCount)))
        count += byteCount
        source = source.dropFirst(byteCount)
    }

    /// Puts all of that in, block by block. A full one waits for one more byte: only then it is known not to be the last.
    /// - Throws: ``AttachmentError/ended`` after the last block and after a failure, or what `full` throws.
    func add(_ bytes: UnsafeRawBufferPointer, whenFull full: () throws -> Void) throws {
        try untilFailure {
            var rest = bytes[...]
            while !rest.isEmpty {
                if isFull { try full() }
                take(&rest)
            }
        }
    }

    /// What is in it is the last.
    /// - Throws: as ``add(_:whenFull:)``.
    func end(_ last: () throws -> Void) throws {
        try untilFailure {
            try last()
            isEnded = true
        }
    }

    private func untilFailure(_ body: () throws -> Void) throws {
        guard !isEnded else { throw AttachmentError.ended }
        do { try body() } catch {
            isEnded = true
            empty()
            throw error
        }
    }

    /// Wipes it, for the next.
    func empty() {
        wipe(memory)
        count = 0
    }
}
