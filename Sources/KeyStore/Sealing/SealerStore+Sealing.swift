public import CryptoPrimitives
public import EnvelopeFormat

extension SealerStore {
    /// What sealing to the conversation needs now. A promotion or rotation that is due comes first, in a transaction of
    /// its own.
    /// - Throws: `.notFound` for a conversation nobody provisioned, `.refused` without an active secret or past its end,
    ///   `.locked`.
    public func sealingState(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> SealingState {
        if !generation.read().isSettled { store.settle() }
        let stamp = generation.read()
        let state = try read(at: now) { (life) throws(KeyStoreError) in
            try life.isRotationDue(name) ? nil : try sealingState(life, name, stamp)
        }
        if let state { return state }
        try write(at: now) { (life) throws(KeyStoreError) in try life.rotateIfDue(name) }
        let changed = generation.read()
        return try read(at: now) { (life) throws(KeyStoreError) in try sealingState(life, name, changed) }
    }

    /// No longer good than until the store locks itself, of which no generation tells.
    private func sealingState(
        _ life: LifeCycle, _ name: ConversationIdentifier, _ stamp: Generation.Stamp
    ) throws(KeyStoreError) -> SealingState {
        let left = try store.source.secondsUntilLock(in: life.rows.storage)
        return try life.sealingState(name, stamp, locksAt: left.map { life.now + Int64($0) })
    }

    /// So many seals under that epoch, for this caller alone: numbers nobody else was or will be given. Committed when
    /// this returns.
    /// - Parameters:
    ///   - isUsedAtOnce: whether all of it is for what is sealed now, so that nothing is to be said of it later.
    ///   - ended: leases that the caller has let go, to be written down along with this one.
    /// - Throws: `.conflict` when it is not the active epoch any more (ask ``sealingState(_:now:)`` anew), `.refused`
    ///   past 2^32.
    public func leaseSeals(
        _ kid: KeyIdentifier, of name: ConversationIdentifier, count: Int, isUsedAtOnce: Bool = false,
        ending ended: [LeaseUse] = [], now: Int64
    ) throws(KeyStoreError) -> Range<Int64> {
        guard (1...Int(Cryptoperiod.lastSeal)).contains(count) else {
            throw KeyStoreError(.badInput, "conversation \(name)", "a lease is of 1 to 2^32 seals")
        }
        let lease = try write(at: now) { (life) throws(KeyStoreError) in
            try life.rotateIfDue(name)
            for use in ended { try life.endLease(use) }
            return try life.lease(kid, of: name, count: Int64(count), isUsedAtOnce: isUsedAtOnce)
        }
        guard let lease else {
            throw KeyStoreError(.conflict, "conversation \(name)", "\(kid) is not the active epoch")
        }
        return lease
    }

    /// Writes down how many seals of leases were used, by who lets them go. What is left of them is lost; a lease nobody
    /// says anything of ends with its epoch, unreported.
    /// - Throws: `.badInput` for more than were leased.
    public func endLeases(_ uses: [LeaseUse], now: Int64) throws(KeyStoreError) {
        guard !uses.isEmpty else { return }
        try write(at: now) { (life) throws(KeyStoreError) in
            for use in uses { try life.endLease(use) }
        }
    }

    /// The key that makes message identifiers of idempotency keys.
    public func idempotencyKey() throws(KeyStoreError) -> SymmetricKey {
        try read { (life) throws(KeyStoreError) in
            guard let row = try life.rows.find(ServiceKeyRow.self, ServiceKeyRow.Purpose.idempotency.rawValue) else {
                throw KeyStoreError(.damaged, "row service_key/idempotency", "it is not there")
            }
            return try life.rows.secret(of: row)
        }
    }

    /// Whether the store could be sealed with now: it is there, and its keys are.
    /// - Throws: `.locked`, and whatever keeps it from being read.
    public func checkUsable(now: Int64) throws(KeyStoreError) {
        try store.checkPlace()
        _ = try idempotencyKey()
    }

    /// The key of a split conversation to hand over by hand: the waiting one when there is one, else the active.
    /// - Throws: `.badInput` for another algorithm, `.refused` without an active key or past its end.
    public func splitExport(
        _ name: ConversationIdentifier, now: Int64
    ) throws(KeyStoreError) -> (key: SymmetricKey, until: Int64) {
        try write(auditing: .splitExport, "conversation \(name)", at: now) { (life) throws(KeyStoreError) in
            let conversation = try life.conversation(name)
            guard conversation.algorithm == .split, let until = conversation.row.record.until else {
                throw KeyStoreError(.badInput, conversation.subject, "its secret is not for split")
            }
            try life.checkOpen(conversation)
            let secret: Held<SecretRow>
            if let waiting = conversation.waiting { secret = waiting } else { secret = try conversation.requireActive() }
            life.rows.act?.kid = try secret.record.kid()
            life.rows.act?.reason = secret.record.name
            return (try life.rows.secret(of: secret), until)
        }
    }
}
