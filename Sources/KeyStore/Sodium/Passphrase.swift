/// What a person types to unlock a store, in guarded memory.
public final class Passphrase: Sendable {
    let bytes: GuardedBytes

    /// Takes the bytes over: the array is wiped and emptied, also when this throws.
    /// - Throws: ``SodiumError/emptyPassphrase``, ``SodiumError/outOfMemory(byteCount:)``.
    public init(consuming source: inout [UInt8]) throws(SodiumError) {
        guard !source.isEmpty else { throw .emptyPassphrase }
        bytes = try GuardedBytes(consuming: &source)
    }

    /// A passphrase that is in guarded memory already.
    /// - Throws: ``SodiumError/emptyPassphrase``.
    public init(_ bytes: GuardedBytes) throws(SodiumError) {
        guard bytes.count > 0 else { throw .emptyPassphrase }
        self.bytes = bytes
    }

    /// Whether both are the same, for the second typing of a new one; compared in constant time.
    public func isSame(as other: Passphrase) -> Bool { bytes.isSame(as: other.bytes) }
}

extension Passphrase: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Passphrase" }
    public var debugDescription: String { "Passphrase" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
