internal import EnvelopeFormat

extension LifeCycle {
    /// How long APNs stores a push that it cannot deliver, in seconds.
    private static let stored = 30 * Cryptoperiod.day
    /// So many devices are named in a reason.
    private static let named = 5

    func census(of conversation: Conversation) throws(KeyStoreError) -> Census {
        let record = try record(of: conversation)
        var members: [Census.Member] = []
        for member in record.members {
            let pending = try rows.all(
                BundleRow.self, .equal("conversation", conversation.name.string),
                .equal("device", member.device.string), .equal("state", BundleRow.State.pending.rawValue))
            members.append(
                Census.Member(
                    device: member.device, name: member.name, acknowledged: member.acknowledged,
                    pending: pending.map(\.record.kid)))
        }
        var secrets: [Census.Secret] = []
        for handle in record.handles {
            guard let held = conversation.secrets.first(where: { $0.record.handle == handle.handle }) else { continue }
            secrets.append(try census(of: held.record, in: conversation))
        }
        var dependents: [String] = []
        if let inUse = (conversation.active ?? conversation.suspended)?.record {
            dependents = try reasonsNotToRetire(inUse, in: conversation)
        }
        return Census(
            conversation: conversation.name, taken: now, members: members, secrets: secrets, dependents: dependents)
    }

    private func census(
        of secret: SecretRow, in conversation: Conversation
    ) throws(KeyStoreError) -> Census.Secret {
        let lastUse = try lastUse(of: secret)
        var missing: [DeviceThumbprint] = []
        if secret.state != .destroyed { missing = try membersWithout(secret, in: conversation) }
        return Census.Secret(
            handle: secret.handle, state: secret.state, epoch: secret.epoch, splitName: secret.name, usedUntil: lastUse,
            storedUntil: lastUse.map { $0 + Self.stored }, openUntil: secret.openUntil, promoteAt: secret.promoteAt,
            notAcknowledged: missing,
            dependents: try reasonsNotToDestroy(secret, in: conversation))
    }

    /// Why the secret in use should not be retired: a device that has not got it, a rekey that waits.
    func reasonsNotToRetire(
        _ secret: SecretRow, in conversation: Conversation
    ) throws(KeyStoreError) -> [String] {
        var reasons = Self.reasons(try membersWithout(secret, in: conversation), "has not acknowledged \(Self.name(secret))")
        if let waiting = conversation.waiting?.record { reasons.append("a rekey to \(Self.name(waiting)) is waiting") }
        return reasons
    }

    /// Why a secret that has ended should not be destroyed: pushes under it that are on their way, devices that open
    /// them, devices that have no later one.
    func reasonsNotToDestroy(
        _ secret: SecretRow, in conversation: Conversation
    ) throws(KeyStoreError) -> [String] {
        guard secret.state == .deactivated || secret.state == .compromised else { return [] }
        var reasons: [String] = []
        let name = Self.name(secret)
        if let until = try lastUse(of: secret).map({ $0 + Self.stored }), until >= now {
            reasons.append("pushes sealed under \(name) may be stored until \(Timestamp.text(until))")
        }
        if let until = secret.openUntil, until >= now {
            reasons.append("devices open what was sealed under \(name) until \(Timestamp.text(until))")
        }
        return reasons
            + Self.reasons(
                try membersWithoutLater(than: secret, in: conversation),
                "has acknowledged nothing later than \(name)")
    }

    /// By thumbprint.
    private func membersWithout(
        _ secret: SecretRow, in conversation: Conversation
    ) throws(KeyStoreError) -> [DeviceThumbprint] {
        var missing: [DeviceThumbprint] = []
        for member in conversation.members.map(\.record) where try !hasAcknowledged(secret, member) {
            missing.append(member.device)
        }
        return missing.sorted { $0.string < $1.string }
    }

    /// Those that would be left with nothing; nobody is where no later secret is in use.
    private func membersWithoutLater(
        than secret: SecretRow, in conversation: Conversation
    ) throws(KeyStoreError) -> [DeviceThumbprint] {
        guard let inUse = (conversation.active ?? conversation.suspended)?.record else { return [] }
        let later = conversation.secrets.map(\.record).filter { other in
            other.handle == inUse.handle || (other.activated ?? .min) > (secret.activated ?? .max)
        }
        var missing: [DeviceThumbprint] = []
        members: for member in conversation.members.map(\.record) {
            for other in later where try hasAcknowledged(other, member) { continue members }
            missing.append(member.device)
        }
        return missing.sorted { $0.string < $1.string }
    }

    private func hasAcknowledged(_ secret: SecretRow, _ member: MemberRow) throws(KeyStoreError) -> Bool {
        if member.acknowledged?.handle == secret.handle { return true }
        return try rows.storage.count(
            .bundle,
            [
                .equal("handle", secret.handle.string), .equal("device", member.device.string),
                .equal("state", BundleRow.State.acknowledged.rawValue),
            ]) > 0
    }

    private static func reasons(_ devices: [DeviceThumbprint], _ reason: String) -> [String] {
        var reasons = devices.prefix(named).map { "device \($0) \(reason)" }
        if devices.count > named { reasons.append("nor have \(devices.count - named) more devices") }
        return reasons
    }

    static func name(_ secret: SecretRow) -> String { secret.name ?? secret.handle.string }
}
