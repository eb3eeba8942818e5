public import CryptoPrimitives

/// What verifies an audit log from its first entry on: made with the log, and kept elsewhere than in the store.
public struct AuditKey: Sendable {
    /// Which log it is of: 32 hexadecimal digits.
    public let log: String
    /// The key of the first entry's MAC, 32 bytes; whoever has it can make every MAC of the log.
    public let startKey: SymmetricKey
    /// Ed25519, 32 bytes.
    public let checkpointKey: [UInt8]

    /// - Throws: `.badInput` for anything that cannot be of a log.
    public init(log: String, startKey: SymmetricKey, checkpointKey: [UInt8]) throws(KeyStoreError) {
        guard Hexadecimal.decode(log)?.count == 16 else {
            throw KeyStoreError(.badInput, "audit key", "the log's name is not of 32 hexadecimal digits")
        }
        guard startKey.bitCount == EvolvingKey.byteCount * 8 else {
            throw KeyStoreError(.badInput, "audit key", "the start key is not of 32 bytes")
        }
        guard checkpointKey.count == SigningKey.publicKeyByteCount else {
            throw KeyStoreError(.badInput, "audit key", "the checkpoint key is not of 32 bytes")
        }
        self.log = log
        self.startKey = startKey
        self.checkpointKey = checkpointKey
    }
}

extension AuditKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuditKey of \(log)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
