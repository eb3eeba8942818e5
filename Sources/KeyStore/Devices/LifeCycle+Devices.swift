internal import EnvelopeFormat

extension LifeCycle {
    /// Conversations a transaction of a removal takes on: short enough for others to get their turn.
    private static let removalsAtOnce = 32

    /// Whether the device is new; the same document again is not.
    func enroll(_ document: EnrollmentDocument) throws(KeyStoreError) -> Bool {
        let thumbprint = document.thumbprint
        if let known = try rows.find(DeviceRow.self, thumbprint.string) {
            _ = try device(thumbprint)
            guard try rows.secret(of: known) == document.enrollmentSecret else {
                throw KeyStoreError(
                    .conflict, "device \(thumbprint)", "it is enrolled with another enrollment secret",
                    hint: "keyctl device remove \(thumbprint)")
            }
            return false
        }
        try rows.insert(
            DeviceRow(
                thumbprint: thumbprint, name: document.name, publicKey: Array(document.publicKey.x963Representation),
                enrolled: now),
            secret: document.enrollmentSecret)
        return true
    }

    /// Marks a device as being removed; what it could still be given goes at once.
    func beginRemoval(of thumbprint: DeviceThumbprint) throws(KeyStoreError) {
        guard var device = try rows.find(DeviceRow.self, thumbprint.string) else {
            throw KeyStoreError(.notFound, "device \(thumbprint)", "it is not enrolled")
        }
        guard !device.record.isBeingRemoved else { return }
        device.record.isBeingRemoved = true
        try rows.shred(&device)
        for bundle in try pendingBundles(to: thumbprint) { try withdraw(bundle) }
        rows.noteKeyChange()
    }

    /// Begins a removal and does as much of it as a transaction takes on: with few conversations all of it, so that none
    /// of them refuses to seal for a moment.
    func removeSome(_ thumbprint: DeviceThumbprint, successor: DeviceThumbprint?) throws(KeyStoreError) {
        try beginRemoval(of: thumbprint)
        _ = try continueRemoval(of: thumbprint, successor: successor)
    }

    /// Takes the device out of some conversations; false when it is in none and gone.
    func continueRemoval(
        of thumbprint: DeviceThumbprint, successor: DeviceThumbprint?
    ) throws(KeyStoreError) -> Bool {
        let match = Match.equal("device", thumbprint.string)
        let memberships = try rows.all(MemberRow.self, match, limit: Self.removalsAtOnce)
        for membership in memberships {
            var conversation = try conversation(membership.record.conversation)
            if let successor, !conversation.members.contains(where: { $0.record.device == successor }) {
                try join(successor, &conversation)
                rows.audit(.memberAdd, conversation.subject, reason: "device \(successor)")
            }
            try remove(thumbprint, from: &conversation)
            let kid = try (conversation.active ?? conversation.suspended)?.record.kid()
            rows.audit(.memberRemove, conversation.subject, kid: kid, reason: "device \(thumbprint)")
        }
        guard memberships.isEmpty, let device = try rows.find(DeviceRow.self, thumbprint.string) else {
            return !memberships.isEmpty
        }
        try rows.delete(device)
        rows.noteKeyChange()
        // The end of what took several transactions; the first of them says what was asked for.
        if rows.act == nil { rows.audit(.deviceRemove, "device \(thumbprint)", reason: "complete") }
        return false
    }
}
