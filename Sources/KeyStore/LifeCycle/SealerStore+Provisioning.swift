extension SealerStore {
    /// Makes conversations, as many of the first of them as one short transaction takes, at least one. One that is
    /// refused stops none of the others.
    /// - Returns: what became of each of those, in their order.
    /// - Throws: what is wrong with the store and not with one of them; none was made then.
    public func provision(
        _ plans: [Provisioning], now: Int64
    ) throws(KeyStoreError) -> [Result<ConversationRecord, KeyStoreError>] {
        guard !plans.isEmpty else { return [] }
        var failure: (index: Int, error: KeyStoreError)?
        do {
            let results = try provision(plans.prefix(Batch.limit), now, &failure)
            if plans.count > 1 { Batch.giveWay() }
            return results
        } catch {
            guard let failure, Batch.isOfOneThing(error) else {
                store.auditRefusal(of: AuditNote(.provision, plans[0].subject), error, at: now)
                throw error
            }
            // It failed half made, and took those before it along.
            if failure.index == 0 {
                store.auditRefusal(of: AuditNote(.provision, plans[0].subject), failure.error, at: now)
                return [.failure(failure.error)]
            }
            var again: (index: Int, error: KeyStoreError)?
            return try provision(plans.prefix(failure.index), now, &again)
        }
    }

    private func provision(
        _ plans: ArraySlice<Provisioning>, _ now: Int64, _ failure: inout (index: Int, error: KeyStoreError)?
    ) throws(KeyStoreError) -> [Result<ConversationRecord, KeyStoreError>] {
        var failed: (index: Int, error: KeyStoreError)?
        defer { failure = failed }
        return try write(at: now) { (life) throws(KeyStoreError) in
            let batch = Batch()
            var results: [Result<ConversationRecord, KeyStoreError>] = []
            for plan in plans {
                if batch.isOver(after: results.count) { break }
                do throws(KeyStoreError) {
                    try plan.check(now: now)
                    try life.checkProvisioning(plan)
                } catch {
                    guard Batch.isOfOneThing(error) else { throw error }
                    // What is there exactly so is no refusal to tell of: an interrupted job is repeated.
                    let isDone = error.kind == .alreadyExists ? try life.isProvisioned(plan) : false
                    if !isDone {
                        life.rows.audit(AuditNote(.provision, plan.subject).refused(error.reason))
                    }
                    results.append(.failure(error))
                    continue
                }
                do throws(KeyStoreError) {
                    let record = try life.provision(plan)
                    life.rows.audit(.provision, plan.subject, kid: record.active)
                    results.append(.success(record))
                } catch {
                    failed = (results.count, error)
                    throw error
                }
            }
            return results
        }
    }
}
