internal import EnvelopeFormat

extension DeviceTransaction {
    /// How long the name of an epoch stays known after its end, in seconds: 35 days.
    private static let rememberedAfterEnd = 35 * Cryptoperiod.day

    /// Erases the bytes of every epoch whose end has passed, and 35 days later its name; the name of what was given up
    /// stays. Before the first unlock nothing can be erased, as nothing can be believed.
    public func eraseEnded() throws(KeyStoreError) {
        guard isAuthenticated else { return }
        for held in try rows.all(HeldEpochRow.self, .atMost("open_until", now - 1)) {
            let isOver = held.record.state.opens && (held.record.openUntil ?? now) < now - Self.rememberedAfterEnd
            if isOver {
                try rows.delete(held)
                rows.noteKeyChange()
                guard held.hasSecret else { continue }
            } else {
                guard held.hasSecret else { continue }
                var held = held
                try rows.shred(&held)
            }
            rows.audit(.destroy, held.record.subject, kid: held.record.kid, reason: "its end has passed")
        }
    }

    /// Moves the secrets of a conversation that the table of moves lets go there: all epochs of each, as a state is a
    /// handle's.
    /// - Parameter handle: one secret; nil for all, split keys among them.
    /// - Throws: `.notFound` when nothing is held of it, `.refused` when none may go there.
    func move(
        _ conversation: ConversationIdentifier, _ handle: Handle?, to state: KeyState
    ) throws(KeyStoreError) {
        let subject = "conversation \(conversation)"
        let match = Match.equal("conversation", conversation.string)
        var epochs = try rows.all(HeldEpochRow.self, match)
        var splitKeys: [Held<SplitKeyRow>] = []
        if let handle {
            epochs.removeAll { $0.record.kid.handle != handle }
        } else {
            splitKeys = try rows.all(SplitKeyRow.self).filter { $0.record.conversation == conversation }
        }
        guard !epochs.isEmpty || !splitKeys.isEmpty else {
            let what = handle.map { "this device holds no secret \($0) of it" } ?? "this device holds nothing of it"
            throw KeyStoreError(.notFound, subject, what)
        }
        let states = epochs.map(\.record.state) + splitKeys.map(\.record.state)
        guard states.contains(where: { KeyStateMoves.allow(from: $0, to: state) }) else {
            throw Self.refusal(states, to: state, conversation, handle)
        }
        for epoch in epochs where KeyStateMoves.allow(from: epoch.record.state, to: state) {
            var epoch = epoch
            try epoch.record.move(to: state, in: rows)
            if state == .destroyed { try rows.shred(&epoch) } else { try rows.update(&epoch) }
        }
        for key in splitKeys where KeyStateMoves.allow(from: key.record.state, to: state) {
            var key = key
            try key.record.move(to: state, in: rows)
            if state == .destroyed { try rows.shred(&key) } else { try rows.update(&key) }
        }
        rows.noteKeyChange()
    }

    /// What is in use first: that is what stands in the way.
    private static func refusal(
        _ states: [KeyState], to state: KeyState, _ conversation: ConversationIdentifier, _ handle: Handle?
    ) -> KeyStoreError {
        let order: [KeyState] = [.active, .suspended, .deactivated, .compromised, .preActivation, .destroyed]
        let from = order.first { states.contains($0) } ?? .destroyed
        let isInUse = from == .active || from == .suspended
        let which = HintWord.of(conversation.string) + (handle.map { " --handle \($0)" } ?? "")
        return KeyStoreError(
            .refused, handle.map { "secret \($0)" } ?? "conversation \(conversation)",
            "a key that is \(from.rawValue) cannot become \(state.rawValue)",
            hint: state == .destroyed && isInUse ? "revoke it first: keyctl revoke --conversation \(which)" : nil)
    }
}
