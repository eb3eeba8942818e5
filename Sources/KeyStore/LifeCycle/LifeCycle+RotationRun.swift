internal import EnvelopeFormat

extension LifeCycle {
    /// The run that is under way, or a new one. Rotations by age are at least a day apart, so what was interrupted longer
    /// ago is due again from the first.
    func rotationRun(
        _ kind: RotationRun.Kind, olderThan: Int64?, promoteAfter: Int64?
    ) throws(KeyStoreError) -> RotationRunRow {
        if let row = try rows.find(RotationRunRow.self, kind.rawValue) {
            let age = now - row.record.started
            let isSame = row.record.olderThan == olderThan && row.record.promoteAfter == promoteAfter
            if isSame, age < Cryptoperiod.day, age >= -Cryptoperiod.day { return row.record }
            try rows.delete(row)
        }
        let row = RotationRunRow(
            kind: kind, run: try RandomName.make(), olderThan: olderThan, promoteAfter: promoteAfter, started: now)
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
        let name = conversation.name
        guard isOldEnough(conversation, in: run) else { return }
        if let reason = reasonToPassOver(conversation, in: run) {
            batch.passedOver.append(RotationBatch.PassedOver(conversation: name, reason: reason))
            return
        }
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

    /// Nil when it has an active secret that the run is to rotate.
    private func reasonToPassOver(_ conversation: Conversation, in run: RotationRun) -> RotationBatch.PassedOver.Reason? {
        guard conversation.active != nil else {
            if conversation.suspended != nil { return .suspended }
            return conversation.isWithoutMember ? .noMember : .retired
        }
        switch run.kind {
        case .ratchet: return conversation.algorithm == .split ? .split : nil
        // Nobody would acknowledge what waits then.
        case .rekey where conversation.isWithoutMember, .rekeyAnew where conversation.isWithoutMember: return .noMember
        case .rekey: return conversation.waiting != nil ? .waiting : nil
        case .rekeyAnew: return nil
        }
    }

    /// Whether its secret is of the run's age; what has none is of any.
    private func isOldEnough(_ conversation: Conversation, in run: RotationRun) -> Bool {
        guard let olderThan = run.olderThan, let inUse = (conversation.active ?? conversation.suspended)?.record else {
            return true
        }
        let since = inUse.epochStarted ?? inUse.created
        return now - since >= olderThan || isAhead(since)
    }
}
