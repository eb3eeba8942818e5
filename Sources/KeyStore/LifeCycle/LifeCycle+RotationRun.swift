internal import EnvelopeFormat

extension LifeCycle {
    /// The run that is under way, or a new one. Rotations by age are at least a day apart, so what was interrupted longer
    /// ago is due again from the first.
    func rotationRun(_ kind: RotationRun.Kind, olderThan: Int64?) throws(KeyStoreError) -> RotationRunRow {
        if let row = try rows.find(RotationRunRow.self, kind.rawValue) {
            let age = now - row.record.started
            if row.record.olderThan == olderThan, age < Cryptoperiod.day, age >= -Cryptoperiod.day { return row.record }
            try rows.delete(row)
        }
        let row = RotationRunRow(kind: kind, run: try RandomName.make(), olderThan: olderThan, started: now)
        return try rows.insert(row).record
    }

    /// Nil when the run is complete, or another took its place.
    func row(of run: RotationRun) throws(KeyStoreError) -> Held<RotationRunRow>? {
        guard let row = try rows.find(RotationRunRow.self, run.kind.rawValue), row.record.run == run.identifier else {
            return nil
        }
        return row
    }

    /// Rotates one conversation of a run, or passes over it.
    func rotate(
        _ row: Held<ConversationRow>, in run: RotationRun, _ batch: inout RotationBatch
    ) throws(KeyStoreError) {
        var conversation = try conversation(row)
        if try isPromotionDue(conversation) { try promote(&conversation) }
        guard isDue(conversation, in: run) else { return }
        let name = conversation.name
        switch run.kind {
        case .ratchet:
            if let error = ratchetRefusal(conversation) {
                rows.audit(AuditNote(.ratchet, conversation.subject).refused(error.reason))
                batch.failures.append(RotationBatch.Failure(conversation: name, error: error))
                return
            }
            rows.audit(.ratchet, conversation.subject, kid: try ratchet(&conversation))
        case .rekey, .rekeyAnew:
            do throws(KeyStoreError) { try checkOpen(conversation) } catch {
                rows.audit(AuditNote(.rekey, conversation.subject).refused(error.reason))
                batch.failures.append(RotationBatch.Failure(conversation: name, error: error))
                return
            }
            try rekey(&conversation, restart: run.kind == .rekeyAnew, promoteAfter: run.promoteAfter)
            rows.audit(.rekey, conversation.subject, kid: try conversation.waiting?.record.kid())
        }
        batch.rotated.append(try rotated(conversation))
    }

    private func rotated(_ conversation: Conversation) throws(KeyStoreError) -> RotationBatch.Rotated {
        let (active, waiting) = (try conversation.requireActive().record, conversation.waiting?.record)
        let (kid, waitingKid) = (try active.kid(), try waiting?.kid())
        return RotationBatch.Rotated(
            conversation: conversation.name, active: kid, waiting: waitingKid,
            activeName: active.name ?? kid.description, waitingName: waiting?.name ?? waitingKid?.description)
    }

    /// Whether it has an active secret of the run's age. Passed over is what waits for a rekey already, and of a ratchet
    /// what knows no epochs.
    private func isDue(_ conversation: Conversation, in run: RotationRun) -> Bool {
        guard let active = conversation.active?.record else { return false }
        switch run.kind {
        case .ratchet: if conversation.algorithm == .split { return false }
        case .rekey: if conversation.waiting != nil { return false }
        case .rekeyAnew: break
        }
        guard let olderThan = run.olderThan else { return true }
        let since = active.epochStarted ?? active.created
        return now - since >= olderThan || isAhead(since)
    }
}
