internal import CryptoPrimitives
internal import EnvelopeFormat

extension LifeCycle {
    /// Seals the secret to the device and keeps the ciphertext; earlier bundles of the handle stay as they are.
    /// A device that is being removed gets none.
    func issueBundle(
        of secret: Held<SecretRow>, to thumbprint: DeviceThumbprint, in conversation: Conversation
    ) throws(KeyStoreError) {
        guard let device = try rows.find(DeviceRow.self, thumbprint.string), !device.record.isBeingRemoved else {
            return
        }
        try SelfTest.require()
        let kid = try secret.record.kid()
        let sequence = try nextSequence(of: thumbprint)
        let expires = now + Cryptoperiod.bundleLifetime
        let content: String
        do {
            let bundle = try ProvisioningBundle(
                kid: kid, secret: try conversationSecret(of: secret), algorithm: conversation.algorithm,
                conversation: conversation.name, sequence: sequence,
                validity: try Validity(issuedAt: now, expiresAt: expires),
                accessible: conversation.row.record.accessible)
            var sender = try HPKE.Sender(
                recipientKey: try P256.KeyAgreement.PublicKey(x963Representation: device.record.publicKey),
                ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(), presharedKey: try rows.secret(of: device),
                presharedKeyIdentifier: Data(PresharedKeyIdentifier.enrollment.bytes))
            content = try bundle.sealed(to: thumbprint, sender: &sender)
        } catch let error as KeyStoreError {
            throw error
        } catch let error as FormatError {
            throw KeyStoreError(.badInput, "bundle for device \(thumbprint)", error.description)
        } catch {
            throw KeyStoreError(.unavailable, "bundle for device \(thumbprint)", "it cannot be sealed")
        }
        try rows.insert(
            BundleRow(
                device: thumbprint, sequence: sequence, conversation: conversation.name, kid: kid, issued: now,
                expires: expires, content: content))
        rows.audit(
            .bundleIssue, conversation.subject, kid: kid, reason: "sequence \(sequence) for device \(thumbprint)")
    }

    /// Lowest sequence number first.
    func pendingBundles(to device: DeviceThumbprint) throws(KeyStoreError) -> [Held<BundleRow>] {
        try rows.all(
            BundleRow.self, .equal("device", device.string), .equal("state", BundleRow.State.pending.rawValue))
    }

    func withdraw(_ bundle: Held<BundleRow>) throws(KeyStoreError) {
        var bundle = bundle
        try close(&bundle, as: .withdrawn)
    }

    func withdrawBundles(of handle: Handle) throws(KeyStoreError) {
        let pending = Match.equal("state", BundleRow.State.pending.rawValue)
        for var bundle in try rows.all(BundleRow.self, .equal("handle", handle.string), pending) {
            try close(&bundle, as: .withdrawn)
        }
    }

    func withdrawBundles(
        of conversation: ConversationIdentifier, to device: DeviceThumbprint
    ) throws(KeyStoreError) {
        let pending = Match.equal("state", BundleRow.State.pending.rawValue)
        for var bundle in try rows.all(
            BundleRow.self, .equal("conversation", conversation.string), .equal("device", device.string), pending)
        { try close(&bundle, as: .withdrawn) }
    }

    /// Issues anew what has expired or is not valid for long, by a clock that was wrong, and what is so far behind that
    /// a device could soon not follow.
    /// - Parameter goesOn: asked for each conversation, with how many were looked at; false ends it.
    func renewBundles(to device: DeviceThumbprint, _ goesOn: (Int) -> Bool) throws(KeyStoreError) {
        for var bundle in try pendingBundles(to: device)
        where bundle.record.expires <= now || isAhead(bundle.record.issued) {
            try close(&bundle, as: .withdrawn)
        }
        for (index, member) in try rows.all(MemberRow.self, .equal("device", device.string)).enumerated() {
            guard goesOn(index) else { throw .interrupted }
            let conversation = try settled(member.record.conversation)
            for secret in [conversation.active, conversation.waiting].compactMap({ $0 }) {
                try issueBundleIfBehind(of: secret, to: member.record, in: conversation)
            }
        }
    }

    /// Issues a bundle at the 384th epoch above a member's last one, in the transaction that makes the epoch: of the
    /// epochs before the present one nothing is kept that could be issued later.
    func renewBundles(of secret: Held<SecretRow>, in conversation: Conversation) throws(KeyStoreError) {
        guard secret.record.epoch >= Cryptoperiod.bundleEpochs else { return }
        for member in conversation.members {
            try issueBundleIfBehind(of: secret, to: member.record, in: conversation)
        }
    }

    /// Issues a bundle to a member that has none of the handle, or whose last is 384 epochs or more below.
    private func issueBundleIfBehind(
        of secret: Held<SecretRow>, to member: MemberRow, in conversation: Conversation
    ) throws(KeyStoreError) {
        let handle = secret.record.handle
        let acknowledged = member.acknowledged.flatMap { $0.handle == handle ? $0.epoch : nil }
        let issued = try rows.all(
            BundleRow.self, .equal("handle", handle.string), .equal("device", member.device.string))
        let standing = issued.filter { $0.record.state != .withdrawn }.map(\.record.kid.epoch).max()
        if let last = [acknowledged, standing].compactMap({ $0 }).max() {
            guard secret.record.epoch - last >= Cryptoperiod.bundleEpochs else { return }
        }
        try issueBundle(of: secret, to: member.device, in: conversation)
    }

    /// Takes note that a device installed a bundle; the last one missing promotes a waiting secret.
    func acknowledge(_ sequence: Int64, by device: DeviceThumbprint) throws(KeyStoreError) {
        guard sequence >= 0, var bundle = try rows.find(BundleRow.self, BundleRow.identifier(device, sequence)) else {
            throw KeyStoreError(.notFound, "bundle \(sequence) for device \(device)", "it was never issued")
        }
        guard bundle.record.state != .acknowledged else {
            rows.act = nil
            return
        }
        rows.act?.subject = "conversation \(bundle.record.conversation)"
        rows.act?.kid = bundle.record.kid
        rows.act?.reason = "sequence \(sequence) by device \(device)"
        try close(&bundle, as: .acknowledged)
        try reissue(below: bundle.record)
        let name = bundle.record.conversation
        guard try rows.find(ConversationRow.self, name.string) != nil else { return }
        var conversation = try settled(name)
        guard let index = conversation.members.firstIndex(where: { $0.record.device == device }) else { return }
        let inUse = [conversation.active, conversation.waiting, conversation.suspended]
        let current = inUse.compactMap { $0?.record.handle }
        let before = conversation.members[index].record.acknowledged
        let kid = bundle.record.kid
        guard current.contains(kid.handle), Self.supersedes(kid, before, waiting: conversation.waiting) else { return }
        conversation.members[index].record.acknowledged = kid
        try rows.update(&conversation.members[index])
        if conversation.waiting?.record.handle == kid.handle { try promoteIfAcknowledged(&conversation) }
    }

    /// Whether an acknowledgement says more than the one before: a waiting secret's above all, then the higher epoch's.
    private static func supersedes(
        _ kid: KeyIdentifier, _ before: KeyIdentifier?, waiting: Held<SecretRow>?
    ) -> Bool {
        guard let before else { return true }
        if before.handle == kid.handle { return before.epoch < kid.epoch }
        return before.handle != waiting?.record.handle
    }

    /// The device took a later bundle and will take none of these: they are issued anew, but for those of the handle
    /// that it took a later epoch of.
    private func reissue(below taken: BundleRow) throws(KeyStoreError) {
        let device = taken.device
        let pending = Match.equal("state", BundleRow.State.pending.rawValue)
        for var bundle in try rows.all(
            BundleRow.self, .equal("device", device.string), pending, .atMost("sequence", taken.sequence - 1))
        {
            try close(&bundle, as: .withdrawn)
            guard bundle.record.kid.handle != taken.kid.handle else { continue }
            let conversation = try conversation(bundle.record.conversation)
            let handle = bundle.record.kid.handle
            let secret = [conversation.active, conversation.waiting].compactMap { $0 }
                .first { $0.record.handle == handle }
            let later = try rows.all(
                BundleRow.self, .equal("handle", handle.string), .equal("device", device.string), pending)
            if let secret, later.isEmpty { try issueBundle(of: secret, to: device, in: conversation) }
        }
    }

    private func close(_ bundle: inout Held<BundleRow>, as state: BundleRow.State) throws(KeyStoreError) {
        bundle.record.close(as: state)
        try rows.update(&bundle)
    }

    /// max(last + 1, now), for ever upwards, and in a restored store above its floor.
    private func nextSequence(of device: DeviceThumbprint) throws(KeyStoreError) -> Int64 {
        let floor = try rows.find(SequenceRow.self, SequenceRow.floorName)?.record.last ?? 0
        let least = max(floor + 1, now)
        guard var sequence = try rows.find(SequenceRow.self, device.string) else {
            return try rows.insert(SequenceRow(thumbprint: device, last: least)).record.last
        }
        sequence.record.last = max(sequence.record.last + 1, least)
        try rows.update(&sequence)
        return sequence.record.last
    }

    /// Has every sequence begin above what may have been used, in a store that was restored.
    func raiseSequences() throws(KeyStoreError) {
        let last = try rows.all(SequenceRow.self).map(\.record.last).max() ?? 0
        let floor = try SequenceFloor.above(last, now: now)
        guard var held = try rows.find(SequenceRow.self, SequenceRow.floorName) else {
            try rows.insert(SequenceRow(thumbprint: nil, last: floor))
            return
        }
        held.record.last = floor
        try rows.update(&held)
    }

    /// Issues anew what waits, under numbers of now: a device that took a later bundle takes none of an earlier number.
    func reissueBundles(_ goesOn: () -> Bool) throws(KeyStoreError) {
        var issued: Set<String> = []
        for bundle in try rows.all(BundleRow.self, .equal("state", BundleRow.State.pending.rawValue)) {
            guard goesOn() else { throw .interrupted }
            let conversation = try conversation(bundle.record.conversation)
            let handle = bundle.record.kid.handle
            let inUse = [conversation.active, conversation.suspended, conversation.waiting].compactMap { $0 }
            guard let secret = inUse.first(where: { $0.record.handle == handle }) else { continue }
            try withdraw(bundle)
            guard issued.insert("\(bundle.record.device)/\(handle)").inserted else { continue }
            try issueBundle(of: secret, to: bundle.record.device, in: conversation)
        }
    }
}
