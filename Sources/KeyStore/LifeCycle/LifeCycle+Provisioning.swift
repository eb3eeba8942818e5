internal import EnvelopeFormat

extension LifeCycle {
    /// What only the store can judge; nothing is written.
    /// - Throws: `.alreadyExists`, `.notFound` for a device nobody enrolled, `.badInput`.
    func checkProvisioning(_ plan: Provisioning) throws(KeyStoreError) {
        guard try rows.find(ConversationRow.self, plan.conversation.string) == nil else {
            throw KeyStoreError(.alreadyExists, plan.subject, "it is provisioned already")
        }
        guard plan.algorithm != .split || plan.members.isEmpty else { throw Self.splitHasNoMembers(plan.subject) }
        for member in plan.members { _ = try device(member) }
    }

    /// Whether the conversation is there exactly as the plan would make it.
    func isProvisioned(_ plan: Provisioning) throws(KeyStoreError) -> Bool {
        guard let row = try rows.find(ConversationRow.self, plan.conversation.string) else { return false }
        let conversation = try conversation(row)
        let members = Set(conversation.members.map(\.record.device.string))
        return conversation.algorithm == plan.algorithm && row.record.accessible == plan.accessible
            && row.record.until == plan.until && members == Set(plan.members.map(\.string))
    }

    /// Makes the conversation, its first secret active at once, and a bundle for each member.
    func provision(_ plan: Provisioning) throws(KeyStoreError) -> ConversationRecord {
        let row = ConversationRow(
            conversation: plan.conversation, algorithm: plan.algorithm, accessible: plan.accessible, created: now,
            until: plan.until, maximumAge: plan.age)
        var conversation = Conversation(row: try rows.insert(row), secrets: [], members: [])
        for member in plan.members { try join(member, &conversation) }
        try startSecret(in: &conversation)
        return try record(of: conversation)
    }

    static func splitHasNoMembers(_ subject: String) -> KeyStoreError {
        KeyStoreError(.badInput, subject, "a split key is handed over by hand, not to members")
    }
}
