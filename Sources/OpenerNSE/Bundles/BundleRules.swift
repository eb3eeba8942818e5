import CryptoPrimitives
import EnvelopeFormat

/// Whether a bundle that opened is installed, and what changes then (bundle spec, sections 6 and 7).
enum BundleRules {
    /// - Throws: `replayed`, `conflict`, or `key-locked` where a secret it has to be held against is not readable.
    static func changes(
        for bundle: ProvisioningBundle, among records: any KeychainRecords, now: Int64
    ) throws -> [KeyChange] {
        if let last = try records.lastSequence(), bundle.sequence <= last { throw Outcome.replayed }
        let isEverySplitKeyAnother = try isEverySplitKeyAnother(than: bundle, records)
        let held = try records.epochs(of: bundle.kid.handle)
        let changes =
            if let newest = EpochRules.newest(of: held) {
                try ofKnownHandle(bundle, held: held, newest: newest, records, now: now)
            } else {
                [KeyChange.add(try first(bundle, records), bundle.secret)]
            }
        // Only now: a conflict is one for good, and what is locked may be tried again.
        guard isEverySplitKeyAnother else { throw Outcome.keyLocked }
        return changes + [.lastSequence(bundle.sequence)]
    }

    /// Whether no split key is the same, since a key of one profile never serves the other; false where one is locked.
    /// - Throws: `conflict` for one that is the same.
    private static func isEverySplitKeyAnother(
        than bundle: ProvisioningBundle, _ records: any KeychainRecords
    ) throws -> Bool {
        var isEachReadable = true
        for split in try records.splitKeys() {
            switch split.key {
            case .value(let key): if bundle.secret.isSame(as: try ConversationSecret(key)) { throw Outcome.conflict }
            case .locked: isEachReadable = false
            case .absent: continue
            }
        }
        return isEachReadable
    }

    private static func first(_ bundle: ProvisioningBundle, _ records: any KeychainRecords) throws -> HeldEpoch {
        HeldEpoch(
            conversation: bundle.conversation, algorithm: bundle.algorithm, kid: bundle.kid, state: .active,
            openUntil: nil, accessible: bundle.accessible, installation: try records.nextInstallation())
    }

    private static func ofKnownHandle(
        _ bundle: ProvisioningBundle, held: [HeldEpoch], newest: HeldEpoch, _ records: any KeychainRecords, now: Int64
    ) throws -> [KeyChange] {
        guard newest.conversation == bundle.conversation, newest.algorithm == bundle.algorithm,
            newest.state != .compromised, newest.state != .destroyed, !newest.isPast(at: now)
        else { throw Outcome.conflict }
        let kid = bundle.kid
        if let known = held.first(where: { $0.kid == kid }) {
            try require(bundle.secret, is: known, records, in: bundle)
            return []
        }
        if kid.epoch > newest.kid.epoch {
            let steps = kid.epoch - newest.kid.epoch
            if steps <= EpochRules.maximumSteps {
                let secret = try read(newest, records).stepped(steps, in: bundle.conversation)
                guard secret.isSame(as: bundle.secret) else { throw Outcome.conflict }
            }
            return EpochRules.step(to: kid, secret: bundle.secret, from: newest, now: now)
        }
        guard let next = held.filter({ $0.kid.epoch > kid.epoch }).min(by: { $0.kid.epoch < $1.kid.epoch }),
            next.kid.epoch - kid.epoch <= EpochRules.maximumSteps
        else { throw Outcome.conflict }
        try require(
            bundle.secret.stepped(next.kid.epoch - kid.epoch, in: bundle.conversation), is: next, records, in: bundle)
        return [.add(newest.at(kid, openUntil: EpochRules.end(of: newest, now: now)), bundle.secret)]
    }

    private static func require(
        _ secret: ConversationSecret, is epoch: HeldEpoch, _ records: any KeychainRecords, in bundle: ProvisioningBundle
    ) throws {
        guard try read(epoch, records).isSame(as: secret) else { throw Outcome.conflict }
    }

    private static func read(_ epoch: HeldEpoch, _ records: any KeychainRecords) throws -> ConversationSecret {
        switch try records.secret(of: epoch.kid) {
        case .value(let secret): return secret
        case .locked: throw Outcome.keyLocked
        case .absent: throw Outcome.conflict
        }
    }
}
