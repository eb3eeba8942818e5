import EnvelopeFormat
import OpenerNSE

/// A replay record in memory, which can be told to answer `unchecked`.
final class MemoryReplays: ReplayRecord {
    private let seen = Mutex<Set<String>>([])
    private let isUnreadable = Mutex(false)

    var count: Int { seen.withLock { $0.count } }

    func setUnreadable(_ value: Bool) { isUnreadable.withLock { $0 = value } }

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        guard !isUnreadable.withLock({ $0 }) else { return .unchecked }
        return seen.withLock { $0.insert("\(conversation) \(message)").inserted } ? .new : .seen
    }
}
