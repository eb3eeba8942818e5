internal import CSodium

/// Plain memory for the secret bytes of one call, on the stack where they are few, wiped when the call is over.
///
/// For item keys and values, of which a transaction handles thousands: a guarded allocation takes some 25 microseconds.
/// KEK and class keys live longer and stay in ``GuardedBytes``.
enum WipedBytes {
    /// Runs the body on zeroed memory; the pointer is not to leave it. Wiped also when the body throws.
    static func with<Result>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(SodiumError) -> Result
    ) throws(SodiumError) -> Result {
        let outcome = withUnsafeTemporaryAllocation(byteCount: max(1, count), alignment: 16) { memory in
            defer { if let start = memory.baseAddress { sodium_memzero(start, memory.count) } }
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
            return Swift.Result { () throws(SodiumError) in try body(bytes) }
        }
        return try outcome.get()
    }
}
