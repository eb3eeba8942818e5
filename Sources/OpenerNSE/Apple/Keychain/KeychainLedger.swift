internal import EnvelopeFormat
internal import OpenerNSE

/// All that a device knows of what it holds, the secrets apart. It is one item of the keychain, so that it changes all at once.
struct KeychainLedger: Sendable, Equatable {
    /// How many bundles are known again; older ones are judged by their sequence number alone.
    static let installedLimit = 256
    /// How long the name of an epoch stays known after its end, in seconds: 35 days.
    static let rememberedAfterEnd: Int64 = 35 * 86_400

    var identity: LedgerIdentity?
    var epochs: [LedgerEpoch] = []
    /// The older first.
    var splitKeys: [LedgerSplitKey] = []
    var lastSequence: Int64?
    var nextInstallation: Int64 = 0
    /// SHA-256 of bundles, the latest last.
    var installed: [[UInt8]] = []

    /// The items of the keychain that it names.
    var items: Set<String> {
        Set(epochs.compactMap(\.item) + splitKeys.compactMap(\.item) + (identity.map { [$0.keyItem, $0.secretItem] } ?? []))
    }

    func entry(_ kid: KeyIdentifier) -> LedgerEpoch? { epochs.first { $0.epoch.kid == kid } }

    mutating func add(_ epoch: HeldEpoch, item: String) {
        epochs.append(LedgerEpoch(epoch: epoch, item: item))
        nextInstallation = max(nextInstallation, epoch.installation + 1)
    }

    /// - Returns: false where it is not held.
    mutating func set(_ kid: KeyIdentifier, _ state: KeyState, openUntil: Int64?) -> Bool {
        guard let index = epochs.firstIndex(where: { $0.epoch.kid == kid }) else { return false }
        epochs[index].epoch.state = state
        epochs[index].epoch.openUntil = openUntil
        return true
    }

    /// Of three that open the oldest goes.
    mutating func add(_ key: LedgerSplitKey) {
        splitKeys.append(key)
        let opening = splitKeys.filter(\.state.opens)
        if opening.count > 2 { splitKeys.removeAll { $0 == opening[0] } }
    }

    /// Nothing of a conversation opens any more; its names stay, and of split keys the bytes go.
    mutating func revoke(_ conversation: ConversationIdentifier) {
        for index in epochs.indices where epochs[index].epoch.conversation == conversation { epochs[index].epoch.state = .compromised }
        for index in splitKeys.indices where splitKeys[index].conversation == conversation {
            splitKeys[index].state = .compromised
            splitKeys[index].item = nil
        }
    }

    mutating func add(installed digest: [UInt8]) {
        installed.removeAll { $0 == digest }
        installed = Array((installed + [digest]).suffix(Self.installedLimit))
    }

    /// Lets go of all secrets whose end has passed, and 35 days later of their names; the name of what was given up stays.
    mutating func eraseEnded(now: Int64) {
        epochs.removeAll { entry in
            guard let end = entry.epoch.openUntil, entry.epoch.state.opens else { return false }
            return end < now - Self.rememberedAfterEnd
        }
        for index in epochs.indices where epochs[index].epoch.openUntil.map({ $0 < now }) ?? false { epochs[index].item = nil }
        splitKeys.removeAll { $0.state.opens && $0.until < now - Self.rememberedAfterEnd }
        for index in splitKeys.indices where splitKeys[index].until < now { splitKeys[index].item = nil }
    }
}
