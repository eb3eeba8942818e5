import EnvelopeFormat

/// How a device moves through the epochs of its handles (envelope spec, section 8). Rules only: nothing is stored here.
enum EpochRules {
    /// The most ratchet steps from a held epoch to the one that is needed.
    static let maximumSteps = 512
    /// How long an epoch stays open once another took its place, in seconds: 35 days, more than the 30 that APNs stores.
    static let grace: Int64 = 35 * 86_400

    /// The held epoch that another is opened from: the nearest at or below it.
    static func base(for epoch: Int, among held: [HeldEpoch]) -> HeldEpoch? {
        guard let base = held.filter({ $0.kid.epoch <= epoch }).max(by: { $0.kid.epoch < $1.kid.epoch }),
            epoch - base.kid.epoch <= maximumSteps
        else { return nil }
        return base
    }

    static func newest(of held: [HeldEpoch]) -> HeldEpoch? { held.max { $0.kid.epoch < $1.kid.epoch } }

    /// The changes once a message under `kid` has opened: its epoch is kept when it is above the newest held, and the
    /// handles installed before are deactivated.
    static func opened(
        _ kid: KeyIdentifier, secret: ConversationSecret, held: [HeldEpoch], inConversation: [HeldEpoch], now: Int64
    ) -> [KeyChange] {
        guard let newest = newest(of: held) else { return [] }
        var changes: [KeyChange] = []
        if kid.epoch > newest.kid.epoch { changes = step(to: kid, secret: secret, from: newest, now: now) }
        for epoch in inConversation where epoch.installation < newest.installation {
            changes += bounded(epoch, state: .deactivated, now: now)
        }
        return changes
    }

    /// The changes that make `kid` the newest epoch of its handle; the one before stays for a while.
    static func step(to kid: KeyIdentifier, secret: ConversationSecret, from newest: HeldEpoch, now: Int64)
        -> [KeyChange]
    {
        [.add(newest.at(kid, openUntil: newest.openUntil), secret)] + bounded(newest, state: newest.state, now: now)
    }

    /// The end of an epoch that another takes the place of now: never later than it was.
    static func end(of epoch: HeldEpoch, now: Int64) -> Int64 { min(epoch.openUntil ?? Int64.max, now + grace) }

    private static func bounded(_ epoch: HeldEpoch, state: KeyState, now: Int64) -> [KeyChange] {
        guard epoch.state.opens else {
            return epoch.state == state ? [.set(epoch.kid, state: state, openUntil: end(of: epoch, now: now))] : []
        }
        let end = end(of: epoch, now: now)
        return epoch.state == state && epoch.openUntil == end ? [] : [.set(epoch.kid, state: state, openUntil: end)]
    }
}
