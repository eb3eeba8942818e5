import EnvelopeFormat
import OpenerNSE

/// In which state a device is when an input comes, by the first byte of it.
struct Circumstances {
    static let now: Int64 = 1_900_000_000

    let lock: LockState
    let allowsSplit: Bool
    let now: Int64
    /// Bits that a fuzzer has for itself: 0 to 7.
    let form: Int

    init(_ byte: UInt8) {
        lock = [.unlocked, .unlocked, .locked, .beforeFirstUnlock][Int(byte & 3)]
        allowsSplit = byte & 4 != 0
        now = Self.now + [0, 0, 86_401, 2_678_400][Int(byte >> 3 & 3)]
        form = Int(byte >> 5)
    }

    /// What opens under them; of each message it is the first time.
    func opener(_ device: FuzzDevice, replays: ReplayAnswer = .new) -> Opener<FuzzKeychain> {
        Opener(
            keychain: device.keychain.under(self), replays: FixedReplays(answer: replays),
            configuration: OpenerConfiguration(allowsSplit: allowsSplit))
    }

    /// As docs/spec/cases.md has them.
    var json: JSONValue {
        .object([
            JSONMember("now", .integer(now)), JSONMember("lock", .string(lock.rawValue)), JSONMember("limit", .integer(PayloadLimit.voip)),
            JSONMember("allow_split", .bool(allowsSplit)),
        ])
    }

    private struct FixedReplays: ReplayRecord {
        let answer: ReplayAnswer

        func remember(_: ConversationIdentifier, _: MessageIdentifier, until _: Int64, now _: Int64) -> ReplayAnswer { answer }
    }
}
