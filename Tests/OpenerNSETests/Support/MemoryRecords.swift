import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// What a device of the tests holds. It counts what it is asked, and fails at the call it is told to.
struct MemoryRecords {
    var epochs: [(epoch: HeldEpoch, secret: ConversationSecret)] = []
    var splits: [(state: KeyState, openUntil: Int64?, key: SymmetricKey, accessible: AccessibilityClass)] = []
    var lastSequence: Int64?
    var digests: Set<[UInt8]> = []
    var lock = LockState.unlocked
    var deviceClass = AccessibilityClass.afterFirstUnlock
    var calls = 0
    /// The number of the call that fails, the first being 1; nil: none does.
    var failingCall: Int?
    /// Whether every call from then on fails too.
    var failsFromThereOn = false

    mutating func call() throws(KeychainUnavailable) {
        calls += 1
        guard let failingCall, calls == failingCall || failsFromThereOn && calls > failingCall else { return }
        throw KeychainUnavailable(reason: "call \(calls)")
    }

    mutating func apply(_ change: KeyChange) {
        switch change {
        case .add(let epoch, let secret):
            if !epochs.contains(where: { $0.epoch.kid == epoch.kid }) { epochs.append((epoch, secret)) }
        case .set(let kid, let state, let openUntil):
            for index in epochs.indices where epochs[index].epoch.kid == kid {
                epochs[index].epoch.state = state
                epochs[index].epoch.openUntil = openUntil
            }
        case .lastSequence(let sequence): lastSequence = sequence
        case .installed(let digest): digests.insert(digest)
        }
    }

    /// All that is held, as lines to compare.
    var snapshot: [String] {
        epochs.map { item in
            let secret = item.secret.rawKey.withUnsafeBytes { Base64URL.encode(Array($0)) }
            let epoch = item.epoch
            return "\(epoch.kid) \(epoch.conversation) \(epoch.algorithm) \(epoch.state) "
                + "\(epoch.openUntil.map { "\($0)" } ?? "-") \(epoch.accessible) \(epoch.installation) \(secret)"
        }.sorted() + ["seq \(lastSequence.map { "\($0)" } ?? "-")", "digests \(digests.count)"]
    }
}
