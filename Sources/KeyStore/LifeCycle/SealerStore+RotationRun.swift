extension SealerStore {
    /// Begins to rotate all conversations. A run of the same kind, age and wait that was begun less than a day ago and is not
    /// complete is taken up where it was.
    /// - Parameters:
    ///   - olderThan: only what has been sealed under for so many seconds; nil for all.
    ///   - promoteAfter: of a rekey, the longest wait in seconds.
    public func beginRotation(
        _ kind: RotationRun.Kind, olderThan: Int64? = nil, promoteAfter: Int64? = nil, now: Int64
    ) throws(KeyStoreError) -> RotationRun {
        let row = try store.auditingRefusals(of: Self.ofAll(kind), at: now) { () throws(KeyStoreError) in
            try write(at: now) { (life) throws(KeyStoreError) in
                try life.rotationRun(kind, olderThan: olderThan, promoteAfter: promoteAfter)
            }
        }
        return RotationRun(
            kind: kind, started: row.started, after: row.lastConversation, identifier: row.run, olderThan: olderThan,
            promoteAfter: promoteAfter)
    }

    /// Rotates the next conversations of a run, in one short transaction that records how far it has come. One that
    /// cannot be rotated stops none of the others.
    ///
    /// Of several processes in one run each conversation is rotated by one.
    /// - Throws: what is wrong with the store and not with one of them; nothing was done then.
    public func rotateSome(_ run: RotationRun, now: Int64) throws(KeyStoreError) -> RotationBatch {
        try rotateSome(run, now: now, limit: Batch.limit)
    }

    func rotateSome(_ run: RotationRun, now: Int64, limit: Int) throws(KeyStoreError) -> RotationBatch {
        var failure: (index: Int, failure: RotationBatch.Failure)?
        do {
            let batch = try rotate(run, now, limit: limit, &failure)
            if !batch.isLast { Batch.giveWay() }
            return batch
        } catch {
            guard let failure, Batch.isOfOneThing(error) else {
                store.auditRefusal(of: Self.ofAll(run.kind), error, at: now)
                throw error
            }
            // It failed half done, and took those before it along: they alone now, or past it.
            var again: (index: Int, failure: RotationBatch.Failure)?
            if failure.index > 0 { return try rotate(run, now, limit: failure.index, &again) }
            let act = AuditNote(run.kind.operation, "conversation \(failure.failure.conversation)")
            try write(at: now) { (life) throws(KeyStoreError) in
                if error.isRefusal { life.rows.audit(act.refused(error.reason)) }
                guard var row = try life.row(of: run) else { return }
                row.record.lastConversation = failure.failure.conversation
                try life.rows.update(&row)
            }
            var batch = RotationBatch()
            batch.failures = [failure.failure]
            batch.count = 1
            return batch
        }
    }

    private static func ofAll(_ kind: RotationRun.Kind) -> AuditNote {
        AuditNote(kind.operation, "store", reason: "all conversations")
    }

    private func rotate(
        _ run: RotationRun, _ now: Int64, limit: Int, _ failure: inout (index: Int, failure: RotationBatch.Failure)?
    ) throws(KeyStoreError) -> RotationBatch {
        var failed: (index: Int, failure: RotationBatch.Failure)?
        defer { failure = failed }
        return try write(at: now) { (life) throws(KeyStoreError) in
            var batch = RotationBatch()
            guard var row = try life.row(of: run) else {
                batch.isLast = true
                return batch
            }
            let time = Batch()
            while batch.count < limit, !batch.isLast, !time.isOver(after: batch.count) {
                let wanted = min(Batch.readAhead, limit - batch.count)
                let page = try life.page(ConversationRow.self, after: row.record.lastConversation?.string, wanted)
                var done = 0
                for conversation in page {
                    if time.isOver(after: batch.count) { break }
                    let name = conversation.record.conversation
                    do throws(KeyStoreError) { try life.rotate(conversation, in: run, &batch) } catch {
                        failed = (batch.count, RotationBatch.Failure(conversation: name, error: error))
                        throw error
                    }
                    row.record.lastConversation = name
                    batch.count += 1
                    done += 1
                }
                batch.isLast = done == page.count && page.count < wanted
            }
            if !batch.isLast { life.rows.letErasureWait() }
            if batch.isLast { try life.rows.delete(row) } else { try life.rows.update(&row) }
            return batch
        }
    }
}
