/// The bytes of the audit log: what its MACs, hashes and signatures are made of (docs/spec/audit.md).
enum AuditChain {
    /// What makes each key from the one before.
    static let nextKeyLabel = AssociatedData("waxwing audit 1: next key").bytes

    /// What stands where the first entry has the hash of the one before.
    static func beginning(log: String, checkpointKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
        var data = AssociatedData("waxwing audit 1: log")
        data.append(log)
        data.append(checkpointKey)
        return try hash(data.bytes)
    }

    /// What the entry's MAC is made over.
    static func bytes(of entry: AuditEntryRow, log: String) -> [UInt8] {
        var data = AssociatedData("waxwing audit 1: entry")
        data.append(log)
        data.append(entry.number)
        for value in entry.values.dropLast() { data.append(value) }
        return data.bytes
    }

    /// What the next entry has of this one: its bytes with the MAC after them.
    static func hash(of entry: AuditEntryRow, bytes: [UInt8]) throws(KeyStoreError) -> [UInt8] {
        try hash(bytes + entry.mac)
    }

    /// What a checkpoint signs.
    static func checkpoint(log: String, number: Int64, hash: [UInt8], at: Int64) -> [UInt8] {
        var data = AssociatedData("waxwing audit 1: checkpoint")
        data.append(log)
        data.append(number)
        data.append(hash)
        data.append(at)
        return data.bytes
    }

    private static func hash(_ bytes: [UInt8]) throws(KeyStoreError) -> [UInt8] {
        do { return try UnkeyedDigest.digest(of: bytes) } catch { throw KeyStoreError(error, "audit log") }
    }
}
