internal import CryptoPrimitives
internal import EnvelopeFormat

extension LifeCycle {
    /// Whether a promotion, or a ratchet by age or by count, is to come before the next seal.
    func isRotationDue(_ name: ConversationIdentifier) throws(KeyStoreError) -> Bool {
        let conversation = try conversation(name)
        if try isPromotionDue(conversation) { return true }
        return try isRatchetDue(conversation)
    }

    /// Promotes or ratchets what is due; it never rekeys.
    func rotateIfDue(_ name: ConversationIdentifier) throws(KeyStoreError) {
        var conversation = try settled(name)
        guard try isRatchetDue(conversation) else { return }
        let kid = try ratchet(&conversation)
        rows.audit(.ratchet, conversation.subject, kid: kid, reason: "its time has come")
    }

    private func isRatchetDue(_ conversation: Conversation) throws(KeyStoreError) -> Bool {
        guard let active = conversation.active?.record, active.epoch < KeyIdentifier.lastEpoch,
            conversation.algorithm != .split
        else { return false }
        if let started = active.epochStarted {
            // One of a clock that was ahead would else not be too old for as long as the clock was wrong.
            if now - started >= conversation.row.record.maximumAge || isAhead(started) { return true }
        }
        return active.leased >= Cryptoperiod.ratchetAtSeals
    }

    /// Whether it was written by a clock that was wrong.
    func isAhead(_ time: Int64) -> Bool { time - now > Cryptoperiod.clockTolerance }

    /// Nil when it is not the active epoch.
    /// - Parameter isUsedAtOnce: whether all of it is for what is sealed now, so that its end is known already.
    func lease(
        _ kid: KeyIdentifier, of name: ConversationIdentifier, count: Int64, isUsedAtOnce: Bool
    ) throws(KeyStoreError) -> Range<Int64>? {
        let conversation = try conversation(name)
        try checkOpen(conversation)
        var active = try conversation.requireActive()
        guard try active.record.kid() == kid else { return nil }
        let first = active.record.leased
        guard first <= Cryptoperiod.lastSeal - count else {
            throw KeyStoreError(
                .refused, conversation.subject, "2^32 seals are leased under \(kid)",
                hint: "keyctl rotate --conversation \(conversation.word) --rekey")
        }
        active.record.leased = first + count
        try rows.update(&active)
        let lease = LeaseRow(kid: kid, first: first, count: count, grantedAt: now, holder: .current)
        rows.audit(.lease, conversation.subject, kid: kid, reason: lease.summary)
        if isUsedAtOnce {
            rows.audit(.leaseEnd, conversation.subject, kid: kid, reason: "\(lease.summary): all used at once")
        } else {
            try rows.insert(lease)
        }
        try noteUse(of: kid.handle)
        return first..<(first + count)
    }

    /// The leases under an epoch end with it; seals of it were sealed before or will not be.
    func endLeases(of secret: SecretRow) throws(KeyStoreError) {
        guard secret.leased > 0 else { return }
        let kid = try secret.kid()
        for lease in try rows.all(LeaseRow.self, .equal("kid", kid.description)) {
            try rows.delete(lease)
            rows.audit(.leaseEnd, secret.subject, kid: kid, reason: "\(lease.record.summary): unreported")
        }
    }

    /// Takes note of how many seals of a lease were used; of one that ended with its epoch nothing more is said.
    func endLease(_ use: LeaseUse) throws(KeyStoreError) {
        guard let lease = try rows.find(LeaseRow.self, LeaseRow.identifier(use.kid, use.first)),
            let secret = try rows.find(SecretRow.self, use.kid.handle.string)
        else { return }
        guard (0...lease.record.count).contains(use.used) else {
            throw KeyStoreError(.badInput, secret.record.subject, "more seals were used than were leased")
        }
        try rows.delete(lease)
        rows.audit(
            .leaseEnd, secret.record.subject, kid: use.kid, reason: "\(lease.record.summary): \(use.used) used")
    }

    /// - Throws: `.refused` past the conversation's end.
    func checkOpen(_ conversation: Conversation) throws(KeyStoreError) {
        if let until = conversation.row.record.until, now > until {
            throw KeyStoreError(.refused, conversation.subject, "its end date has passed")
        }
    }

    func sealingState(
        _ name: ConversationIdentifier, _ stamp: Generation.Stamp, locksAt: Int64?
    ) throws(KeyStoreError) -> SealingState {
        let conversation = try conversation(name)
        try checkOpen(conversation)
        guard !conversation.isWithoutMember else {
            throw KeyStoreError(
                .refused, conversation.subject, "it has no member to seal to", hint: conversation.additionHint)
        }
        let active = try conversation.requireActive()
        var members: [SealingState.Member] = []
        for member in conversation.members { members.append(try sealingMember(member.record.device, conversation)) }
        let secret: SealingState.Secret =
            conversation.algorithm == .split
            ? .split(try rows.secret(of: active)) : .conversation(try conversationSecret(of: active))
        let ageLimit =
            conversation.algorithm == .split
            ? nil : active.record.epochStarted.map { $0 + conversation.row.record.maximumAge }
        return SealingState(
            conversation: name, algorithm: conversation.algorithm, kid: try active.record.kid(), secret: secret,
            members: members, until: conversation.row.record.until,
            renewAt: [ageLimit, conversation.waiting?.record.promoteAt, locksAt].compactMap { $0 }.min(),
            generation: stamp)
    }

    private func sealingMember(
        _ thumbprint: DeviceThumbprint, _ conversation: Conversation
    ) throws(KeyStoreError) -> SealingState.Member {
        guard let device = try rows.find(DeviceRow.self, thumbprint.string)?.record else {
            throw KeyStoreError(.damaged, "row device/\(thumbprint)", "it is not there")
        }
        guard !device.isBeingRemoved else {
            throw KeyStoreError(
                .refused, conversation.subject, "device \(thumbprint) is being removed",
                hint: "keyctl device remove \(thumbprint)")
        }
        do {
            return SealingState.Member(
                thumbprint: thumbprint,
                publicKey: try P256.KeyAgreement.PublicKey(x963Representation: device.publicKey))
        } catch {
            throw KeyStoreError(.damaged, "row device/\(thumbprint)", "its public key is not one")
        }
    }
}
