internal import CryptoPrimitives
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
    /// - Parameter successor: what its memberships go to. It is kept with the device until the removal is complete,
    ///   whoever goes on with it.
    func beginRemoval(
        of thumbprint: DeviceThumbprint, successor: DeviceThumbprint? = nil
    ) throws(KeyStoreError) {
        guard var device = try rows.find(DeviceRow.self, thumbprint.string) else {
            throw KeyStoreError(.notFound, "device \(thumbprint)", "it is not enrolled")
        }
        if let successor {
            try checkIsNoSuccessor(thumbprint)
            if let recorded = try self.successor(of: device), recorded != successor {
                throw KeyStoreError(
                    .conflict, "device \(thumbprint)", "it is being replaced by \(recorded)",
                    hint: "keyctl device remove \(thumbprint) goes on with that")
            }
        }
        let isNew = !device.record.isBeingRemoved
        device.record.isBeingRemoved = true
        if let successor {
            try rows.update(&device, secret: try Self.place(of: successor))
        } else if isNew {
            try rows.shred(&device)
        }
        guard isNew else { return }
        for bundle in try pendingBundles(to: thumbprint) { try withdraw(bundle) }
        rows.noteKeyChange()
    }

    /// Begins a removal and does as much of it as a transaction takes on: with few conversations all of it, so that none
    /// of them refuses to seal for a moment.
    func removeSome(_ thumbprint: DeviceThumbprint, successor: DeviceThumbprint?) throws(KeyStoreError) {
        try beginRemoval(of: thumbprint, successor: successor)
        _ = try continueRemoval(of: thumbprint)
    }

    /// Takes the device out of some conversations; false when it is in none and gone.
    func continueRemoval(of thumbprint: DeviceThumbprint) throws(KeyStoreError) -> Bool {
        let successor = try rows.find(DeviceRow.self, thumbprint.string).flatMap { (device) throws(KeyStoreError) in
            try activeSuccessor(of: device)
        }
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

    /// What the memberships of a device that is being removed go to; nil for nothing.
    private func successor(of device: Held<DeviceRow>) throws(KeyStoreError) -> DeviceThumbprint? {
        guard device.record.isBeingRemoved, device.row.secret != nil else { return nil }
        let bytes = try rows.secret(of: device).withUnsafeBytes { Array($0) }
        guard let successor = DeviceThumbprint(Base64URL.encode(bytes)) else {
            throw KeyStoreError(.damaged, device.row.subject, "its successor cannot be read")
        }
        return successor
    }

    /// Nil also when the successor has been removed itself.
    private func activeSuccessor(of device: Held<DeviceRow>) throws(KeyStoreError) -> DeviceThumbprint? {
        guard let successor = try successor(of: device),
            let there = try rows.find(DeviceRow.self, successor.string), !there.record.isBeingRemoved
        else { return nil }
        return successor
    }

    /// A thumbprint as it is kept in the place of the enrollment secret, which is gone then.
    private static func place(of successor: DeviceThumbprint) throws(KeyStoreError) -> SymmetricKey {
        guard let bytes = Base64URL.decode(Array(successor.string.utf8)) else {
            throw KeyStoreError(.badInput, "device \(successor)", "it is no thumbprint")
        }
        return SymmetricKey(data: bytes)
    }

    /// - Throws: `.refused` for a device that is still taking the place of another: those memberships would be lost.
    private func checkIsNoSuccessor(_ thumbprint: DeviceThumbprint) throws(KeyStoreError) {
        for device in try rows.all(DeviceRow.self, .equal("removing", .integer(1))) {
            guard try successor(of: device) == thumbprint else { continue }
            throw KeyStoreError(
                .refused, "device \(thumbprint)", "it is still taking the place of \(device.record.thumbprint)",
                hint: "keyctl device remove \(device.record.thumbprint) goes on with that")
        }
    }

    /// A device whose thumbprint begins so, and which that one has taken the place of.
    func replaced(_ prefix: String, by successor: DeviceThumbprint) throws(KeyStoreError) -> DeviceThumbprint? {
        let entries = try rows.all(
            AuditEntryRow.self, .equal("operation", AuditOperation.deviceRemove.rawValue),
            .equal("reason", Self.replacedBy(successor)))
        for entry in entries.map(\.record) where entry.result == .done {
            let words = entry.subject.split(separator: " ")
            if let last = words.last, last.hasPrefix(prefix), let device = DeviceThumbprint(last),
                try rows.find(DeviceRow.self, device.string) == nil
            {
                return device
            }
        }
        return nil
    }

    /// What the audit log says of the device that was replaced.
    static func replacedBy(_ successor: DeviceThumbprint) -> String { "replaced by \(successor)" }
}
