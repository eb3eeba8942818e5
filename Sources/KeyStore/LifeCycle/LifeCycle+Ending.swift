internal import EnvelopeFormat

extension LifeCycle {
    /// Ends sealing in the conversation: the secret in use is deactivated, and none takes its place.
    func retire(_ conversation: inout Conversation, force: Bool) throws(KeyStoreError) {
        guard let inUse = conversation.active ?? conversation.suspended else {
            _ = try conversation.requireActive()
            return
        }
        let reasons = try reasonsNotToRetire(inUse.record, in: conversation)
        guard force || reasons.isEmpty else {
            throw KeyStoreError(
                .refused, conversation.subject, reasons.joined(separator: "; "),
                hint: "deliver its bundles and promote what waits; or all the same: "
                    + "keyctl retire --conversation \(conversation.word) --force")
        }
        if let waiting = conversation.waiting { try discard(waiting, in: &conversation) }
        try end(inUse, as: .deactivated, in: &conversation)
    }

    /// Destroys one secret of the conversation, or all that have ended: nothing is left of them but name and state.
    func destroy(
        _ handle: Handle?, in conversation: inout Conversation, force: Bool
    ) throws(KeyStoreError) {
        let secrets = try chosen(handle, in: conversation)
        var reasons: [String] = []
        for secret in secrets.map(\.record) {
            try checkMayBeDestroyed(secret)
            reasons += try reasonsNotToDestroy(secret, in: conversation)
        }
        guard force || reasons.isEmpty else {
            var seen: Set<String> = []
            let which = conversation.word + (handle.map { " --handle \($0)" } ?? "")
            throw KeyStoreError(
                .refused, conversation.subject, reasons.filter { seen.insert($0).inserted }.joined(separator: "; "),
                hint: "to see what waits for what: keyctl census \(conversation.word); or all the same: "
                    + "keyctl destroy --conversation \(which) --force")
        }
        for secret in secrets {
            try withdrawBundles(of: secret.record.handle)
            try end(secret, as: .destroyed, in: &conversation)
        }
    }

    /// Gives one secret up as compromised. One that is in use is replaced at once; one that waits is given up.
    func revoke(_ handle: Handle, in conversation: inout Conversation) throws(KeyStoreError) {
        let secret = try self.secret(handle, in: conversation)
        try KeyStateMoves.check(
            from: secret.record.state, to: .compromised, "secret \(Self.name(secret.record))")
        if secret.record.state == .active || secret.record.state == .suspended {
            return try replaceSecret(in: &conversation, as: .compromised)
        }
        try withdrawBundles(of: handle)
        try end(secret, as: .compromised, in: &conversation)
    }

    private func chosen(
        _ handle: Handle?, in conversation: Conversation
    ) throws(KeyStoreError) -> [Held<SecretRow>] {
        if let handle { return [try secret(handle, in: conversation)] }
        let ended = conversation.secrets.filter {
            $0.record.state == .deactivated || $0.record.state == .compromised
        }
        if ended.isEmpty {
            guard let inUse = conversation.active ?? conversation.suspended else {
                throw KeyStoreError(.refused, conversation.subject, "it has no secret to destroy")
            }
            try checkMayBeDestroyed(inUse.record)
        }
        return ended
    }

    private func secret(
        _ handle: Handle, in conversation: Conversation
    ) throws(KeyStoreError) -> Held<SecretRow> {
        guard let secret = conversation.secrets.first(where: { $0.record.handle == handle }) else {
            throw KeyStoreError(.notFound, conversation.subject, "it has no secret \(handle)")
        }
        return secret
    }

    private func checkMayBeDestroyed(_ secret: SecretRow) throws(KeyStoreError) {
        do {
            try KeyStateMoves.check(from: secret.state, to: .destroyed, "secret \(Self.name(secret))")
        } catch {
            let isInUse = secret.state == .active || secret.state == .suspended
            throw KeyStoreError(
                error.kind, error.subject, error.reason,
                hint: isInUse ? "retire it first: keyctl retire --conversation \(HintWord.of(secret.conversation.string))" : nil)
        }
    }
}
