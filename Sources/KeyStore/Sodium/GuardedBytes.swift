internal import CSodium
internal import CryptoPrimitives

/// Secret bytes in libsodium's guarded memory: locked against swapping, left out of core dumps, between two guard
/// pages, read-only once filled, wiped and freed when the last reference goes.
///
/// An allocation takes some 25 microseconds and four pages: one per key, never per message.
public final class GuardedBytes: Sendable {
    /// The number of secret bytes.
    public let count: Int

    /// Written before the object is shared and read-only after that.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer

    /// Writable memory, for the initialisers below.
    private init(writable count: Int) throws(SodiumError) {
        try SodiumLibrary.prepare()
        guard count >= 0 else { throw .wrongLength(of: "guarded bytes", byteCount: count) }
        guard let start = sodium_malloc(count) else { throw .outOfMemory(byteCount: count) }
        self.start = start
        self.count = count
        sodium_memzero(start, count)
    }

    deinit {
        sodium_free(start)  // makes it writable again, checks the canary, wipes
    }

    /// Bytes that `body` writes; what it leaves alone is 0.
    /// - Throws: ``SodiumError`` when there is no memory, and what `body` throws (the memory is wiped).
    public convenience init(
        count: Int, initializingWith body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        try self.init(writable: count)
        try body(UnsafeMutableRawBufferPointer(start: start, count: count))
        try protect()
    }

    /// As the other one, for bodies that fail with libsodium's errors alone.
    convenience init(
        count: Int, filledBy body: (UnsafeMutableRawBufferPointer) throws(SodiumError) -> Void
    ) throws(SodiumError) {
        try self.init(writable: count)
        try body(UnsafeMutableRawBufferPointer(start: start, count: count))
        try protect()
    }

    /// So many random bytes: a new key.
    public convenience init(randomCount count: Int) throws(SodiumError) {
        try self.init(
            count: count,
            filledBy: { (buffer) throws(SodiumError) in
                try SodiumLibrary.fillRandom(buffer)
            })
    }

    /// A copy of the bytes, of which the caller wipes his own.
    public convenience init(copying bytes: UnsafeRawBufferPointer) throws(SodiumError) {
        try self.init(count: bytes.count, filledBy: { (buffer) throws(SodiumError) in buffer.copyMemory(from: bytes) })
    }

    /// The bytes of the array, which is wiped and emptied. (A copy of it that somebody else has is not.)
    public convenience init(consuming bytes: inout [UInt8]) throws(SodiumError) {
        defer { SodiumLibrary.wipe(&bytes) }
        try self.init(
            count: bytes.count, filledBy: { (buffer) throws(SodiumError) in buffer.copyBytes(from: bytes) })
    }

    /// The one door to the raw bytes; the pointer is not to leave `body`.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The same door for C functions that do not take a null pointer.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        defer { withExtendedLifetime(self) {} }
        return body(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)))
    }

    /// Whether both are the same bytes; the time depends on the lengths only.
    public func isSame(as other: GuardedBytes) -> Bool {
        withBytes { mine in other.withBytes { constantTimeEqual(mine, $0) } }
    }

    private func protect() throws(SodiumError) {
        guard sodium_mprotect_readonly(start) == 0 else { throw .notProtected }
    }
}

extension GuardedBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "GuardedBytes" }
    public var debugDescription: String { "GuardedBytes" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
