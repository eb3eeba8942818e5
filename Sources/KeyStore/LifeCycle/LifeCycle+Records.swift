internal import EnvelopeFormat

extension LifeCycle {
    /// The conversation as an operator sees it.
    func record(of conversation: Conversation) throws(KeyStoreError) -> ConversationRecord {
        var members: [MemberRecord] = []
        for member in conversation.members.map(\.record).sorted(by: { $0.identifier < $1.identifier }) {
            let device = try rows.find(DeviceRow.self, member.device.string)
            members.append(
                MemberRecord(
                    device: member.device, name: device?.record.name ?? "", acknowledged: member.acknowledged))
        }
        var handles: [HandleRecord] = []
        for secret in Self.inOrderOfMaking(conversation.secrets.map(\.record)) {
            handles.append(
                HandleRecord(
                    handle: secret.handle, state: secret.state, epoch: secret.epoch, created: secret.created,
                    activatedAt: secret.activated, epochStartedAt: secret.epochStarted, openUntil: secret.openUntil,
                    promoteAt: secret.promoteAt, leasedCount: secret.leased, splitName: secret.name))
        }
        let row = conversation.row.record
        return ConversationRecord(
            conversation: row.conversation, algorithm: row.algorithm, accessible: row.accessible, created: row.created,
            until: row.until, maximumAge: row.maximumAge, active: try conversation.active?.record.kid(),
            waiting: try conversation.waiting?.record.kid(), members: members, handles: handles)
    }

    /// Of those of one second what has ended comes before what took its place; where no time tells, by handle.
    private static func inOrderOfMaking(_ secrets: [SecretRow]) -> [SecretRow] {
        secrets.sorted { one, other in
            let times = { (secret: SecretRow) in
                (secret.created, secret.activated ?? .max, hasEnded(secret) ? 0 : 1, secret.handle.string)
            }
            return times(one) < times(other)
        }
    }

    private static func hasEnded(_ secret: SecretRow) -> Bool {
        switch secret.state {
        case .preActivation, .active, .suspended: false
        case .deactivated, .compromised, .destroyed: true
        }
    }

    /// The device as an operator sees it.
    func record(of device: DeviceRow) throws(KeyStoreError) -> DeviceRecord {
        let match = Match.equal("device", device.thumbprint.string)
        return DeviceRecord(
            thumbprint: device.thumbprint, name: device.name, enrolled: device.enrolled,
            lastSequence: try rows.find(SequenceRow.self, device.thumbprint.string)?.record.last,
            conversationCount: try rows.storage.count(.member, [match]),
            pendingBundleCount: try rows.storage.count(
                .bundle, [match, .equal("state", BundleRow.State.pending.rawValue)]),
            isBeingRemoved: device.isBeingRemoved)
    }
}
