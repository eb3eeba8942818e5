internal import EnvelopeFormat

/// When handles were used. A lease of one seal is used as it is granted; one of many is a stock, from which its holder
/// may seal until the epoch ends. `HPKE-7` is sealed without leases, and counts as used until it ends.
extension LifeCycle {
    /// Takes note that something is or may be sealed under a handle now.
    func noteUse(of handle: Handle) throws(KeyStoreError) {
        guard var use = try rows.find(HandleUseRow.self, handle.string) else {
            var use = HandleUseRow(handle: handle)
            use.lastUse = now
            try rows.insert(use)
            return
        }
        guard now > use.record.lastUse ?? .min else { return }
        use.record.lastUse = now
        try rows.update(&use)
    }

    /// Takes note that nothing more will be sealed under it, while its leases are still there.
    func noteEnd(of secret: SecretRow) throws(KeyStoreError) {
        let isKnown = try rows.find(HandleUseRow.self, secret.handle.string) != nil
        let isUsed = try isInUse(secret) || !isKnown && isUseUnknown(secret)
        if isUsed { return try noteUse(of: secret.handle) }
        if !isKnown { try rows.insert(HandleUseRow(handle: secret.handle)) }
    }

    /// The latest time at which something may have been sealed under it; nil for never.
    func lastUse(of secret: SecretRow) throws(KeyStoreError) -> Int64? {
        guard secret.activated != nil else { return nil }
        let use = try rows.find(HandleUseRow.self, secret.handle.string)?.record
        if secret.state == .active || secret.state == .suspended {
            if try isInUse(secret) { return max(now, use?.lastUse ?? 0) }
        }
        if let use { return use.lastUse }
        return isUseUnknown(secret) ? secret.deactivated ?? now : nil
    }

    /// Whether a process holds a lease of more than it was about to seal.
    func hasLeaseInStock(_ secret: SecretRow) throws(KeyStoreError) -> Bool {
        guard secret.leased > 0 else { return false }
        return try rows.all(LeaseRow.self, .equal("kid", try secret.kid().description)).contains { $0.record.count > 1 }
    }

    private func isInUse(_ secret: SecretRow) throws(KeyStoreError) -> Bool {
        if secret.algorithm == .hpke7 { return true }
        return try hasLeaseInStock(secret)
    }

    /// Whether it may have been used before uses were recorded.
    private func isUseUnknown(_ secret: SecretRow) -> Bool {
        secret.leased > 0 || secret.epoch > 0 || secret.algorithm == .hpke7
    }
}
