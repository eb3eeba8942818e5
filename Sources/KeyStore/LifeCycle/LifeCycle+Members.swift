internal import EnvelopeFormat

extension LifeCycle {
    /// - Throws: `.notFound` for a device nobody enrolled, `.refused` for one that is being removed.
    func device(_ thumbprint: DeviceThumbprint) throws(KeyStoreError) -> Held<DeviceRow> {
        guard let device = try rows.find(DeviceRow.self, thumbprint.string) else {
            throw KeyStoreError(.notFound, "device \(thumbprint)", "it is not enrolled")
        }
        guard !device.record.isBeingRemoved else {
            throw KeyStoreError(
                .refused, "device \(thumbprint)", "it is being removed", hint: "keyctl device remove \(thumbprint)")
        }
        return device
    }

    /// Makes a device a member, without a bundle yet.
    func join(_ device: DeviceThumbprint, _ conversation: inout Conversation) throws(KeyStoreError) {
        guard conversation.algorithm != .split else {
            throw Self.splitHasNoMembers(conversation.subject)
        }
        _ = try self.device(device)
        guard !conversation.members.contains(where: { $0.record.device == device }) else {
            throw KeyStoreError(.alreadyExists, conversation.subject, "device \(device) is a member already")
        }
        let row = MemberRow(device: device, conversation: conversation.name, added: now)
        conversation.members.append(try rows.insert(row))
        // The sealers' list of members changes with it.
        rows.noteKeyChange()
    }

    /// Makes a device a member with a bundle of the active secret, and of the waiting one if there is one.
    func add(_ device: DeviceThumbprint, to conversation: inout Conversation) throws(KeyStoreError) {
        try join(device, &conversation)
        if conversation.active == nil, conversation.suspended == nil {
            try startSecret(in: &conversation)
        } else if let active = conversation.active {
            try issueBundle(of: active, to: device, in: conversation)
        }
        if let waiting = conversation.waiting { try issueBundle(of: waiting, to: device, in: conversation) }
    }

    /// Takes a device out, and in the same transaction what it knows out of use.
    func remove(_ device: DeviceThumbprint, from conversation: inout Conversation) throws(KeyStoreError) {
        guard let index = conversation.members.firstIndex(where: { $0.record.device == device }) else {
            throw KeyStoreError(.notFound, conversation.subject, "device \(device) is not a member")
        }
        try rows.delete(conversation.members.remove(at: index))
        try withdrawBundles(of: conversation.name, to: device)
        try replaceSecret(in: &conversation, as: .deactivated)
        rows.noteKeyChange()
    }
}
