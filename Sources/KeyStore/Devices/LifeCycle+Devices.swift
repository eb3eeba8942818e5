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
            guard constantTimeEqual(try rows.secret(of: known), document.enrollmentSecret) else {
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
        // What took its place once has no part in what becomes of it now.
        if let replacement = try rows.find(ReplacementRow.self, thumbprint.string) { try rows.delete(replacement) }
        return true
    }

    /// Marks a device as being removed; its bundles go at once, and its enrollment secret too, unless something takes its place:
    /// then it is kept to the end, as the replacement may be given up before.
    /// - Parameters:
    ///   - successor: what its memberships go to, whoever goes on with the removal.
    ///   - goesOn: asked for each bundle; false ends it.
    func beginRemoval(
        of thumbprint: DeviceThumbprint, successor: DeviceThumbprint? = nil, _ goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) {
        guard var device = try rows.find(DeviceRow.self, thumbprint.string) else {
            throw KeyStoreError(.notFound, "device \(thumbprint)", "it is not enrolled")
        }
        if let successor { try replace(thumbprint, by: successor) }
        try endReplacements(by: thumbprint)
        guard !device.record.isBeingRemoved else { return }
        device.record.isBeingRemoved = true
        if successor == nil { try rows.shred(&device) } else { try rows.update(&device) }
        for bundle in try pendingBundles(to: thumbprint) {
            guard goesOn(0) else { throw .interrupted }
            try withdraw(bundle)
        }
        rows.noteKeyChange()
    }

    /// Begins a removal and does as much of it as a transaction takes on: with few conversations all of it, so that none
    /// of them refuses to seal for a moment.
    /// - Parameter goesOn: asked for each bundle that is withdrawn; false ends it.
    /// - Returns: what its memberships go to, and as ``continueRemoval(of:to:)``.
    func removeSome(
        _ thumbprint: DeviceThumbprint, successor: DeviceThumbprint?, _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) -> (successor: DeviceThumbprint?, count: Int) {
        try beginRemoval(of: thumbprint, successor: successor, goesOn)
        let successor = try self.successor(of: thumbprint)
        return (successor, try continueRemoval(of: thumbprint, to: successor))
    }

    /// Takes the device out of some conversations.
    /// - Parameter expected: what its memberships went to so far.
    /// - Returns: out of how many; 0 when it is in none and gone.
    /// - Throws: `.conflict` when that one was removed meanwhile: nobody asked for the rest to go to nothing.
    func continueRemoval(of thumbprint: DeviceThumbprint, to expected: DeviceThumbprint?) throws(KeyStoreError) -> Int {
        guard let device = try rows.find(DeviceRow.self, thumbprint.string) else { return 0 }
        let successor = try successor(of: thumbprint)
        if let expected, successor != expected {
            throw KeyStoreError(
                .conflict, "device \(thumbprint)", "\(expected) takes its place no longer: it was removed meanwhile",
                hint: "to see what is left: keyctl device show \(thumbprint)")
        }
        // Removed by another process meanwhile, and enrolled again.
        guard device.record.isBeingRemoved else { return 0 }
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
        guard memberships.isEmpty else { return memberships.count }
        try rows.delete(device)
        rows.noteKeyChange()
        // The end of what took several transactions; the first of them says what was asked for.
        if rows.act == nil { rows.audit(.deviceRemove, "device \(thumbprint)", reason: "complete") }
        return 0
    }

    /// What the memberships of a device that is being removed go to; nil for nothing. One that has been removed itself, by
    /// a version that kept it recorded, is nothing.
    private func successor(of thumbprint: DeviceThumbprint) throws(KeyStoreError) -> DeviceThumbprint? {
        guard let successor = try rows.find(ReplacementRow.self, thumbprint.string)?.record.successor,
            let device = try rows.find(DeviceRow.self, successor.string), !device.record.isBeingRemoved
        else { return nil }
        return successor
    }

    /// Records what takes the place of a device.
    /// - Throws: `.refused` for a device that is still taking the place of another: those memberships would be lost;
    ///   `.conflict` for one that another takes the place of.
    private func replace(_ thumbprint: DeviceThumbprint, by successor: DeviceThumbprint) throws(KeyStoreError) {
        for replaced in try replaced(by: thumbprint) where try rows.find(DeviceRow.self, replaced.string) != nil {
            throw KeyStoreError(
                .refused, "device \(thumbprint)", "it is still taking the place of \(replaced)",
                hint: "to go on with that: keyctl device remove \(replaced)")
        }
        if let present = try self.successor(of: thumbprint) {
            guard present == successor else {
                throw KeyStoreError(
                    .conflict, "device \(thumbprint)", "\(present) is taking its place",
                    hint: "to have the rest moved there: keyctl device remove \(thumbprint); "
                        + "or to give that up: keyctl device remove \(present)")
            }
            return
        }
        if let former = try rows.find(ReplacementRow.self, thumbprint.string) { try rows.delete(former) }
        try rows.insert(ReplacementRow(replaced: thumbprint, successor: successor))
    }

    /// Gives back their places to the devices that this one was taking the place of, as it is being removed itself. Those
    /// whose own removal had begun before have no enrollment secret any more: that removal stays to be repeated.
    private func endReplacements(by successor: DeviceThumbprint) throws(KeyStoreError) {
        for replaced in try replaced(by: successor) {
            guard var device = try rows.find(DeviceRow.self, replaced.string),
                let replacement = try rows.find(ReplacementRow.self, replaced.string)
            else { continue }
            try rows.delete(replacement)
            rows.audit(.deviceRemove, "device \(replaced)", reason: "no longer replaced by \(successor)")
            rows.noteKeyChange()
            guard device.hasSecret else { continue }
            device.record.isBeingRemoved = false
            try rows.update(&device)
        }
    }

    /// The devices that this one takes the place of, or has taken.
    private func replaced(by successor: DeviceThumbprint) throws(KeyStoreError) -> [DeviceThumbprint] {
        try rows.all(ReplacementRow.self, .equal("successor", successor.string)).map(\.record.replaced)
    }

    /// A device whose thumbprint begins so, and which that one has taken the place of.
    func replaced(_ prefix: String, by successor: DeviceThumbprint) throws(KeyStoreError) -> DeviceThumbprint? {
        for device in try replaced(by: successor) where device.string.hasPrefix(prefix) {
            if try rows.find(DeviceRow.self, device.string) == nil { return device }
        }
        return nil
    }
}
