import KeyStore

extension CrashScene {
    /// How many entries say of a kind of operation that it was done, by store and kind. An operation writes its entry in the
    /// transaction in which it happens, so that either both are there or neither.
    ///
    /// What was refused is not counted: what was done already is refused as often as it is tried. Ends of leases are not,
    /// either: a sealer that is freed lets its leases go, killed it does not. Nor are locks of a phone: they take effect also
    /// where they cannot be written.
    func entries() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        if hasBackend, try !isOlder(backendDirectory) { try count(&counts, "backend", try backend.store) }
        for number in phoneNumbers where try !isOlder(phoneDirectory(number)) {
            try count(&counts, "phone \(number)", try phone(number).store)
        }
        return counts
    }

    private func count(_ counts: inout [String: Int], _ name: String, _ store: Store) throws {
        let entries: [AuditEntry]
        do { entries = try store.auditEntries(limit: 10_000) } catch {
            guard error.kind == .locked else { throw error }
            return
        }
        for entry in entries where entry.result == .done && entry.operation != .leaseEnd {
            guard store.role == .sealer || entry.operation != .lock else { continue }
            counts["\(name) \(entry.operation.rawValue)", default: 0] += 1
        }
    }
}
