import EnvelopeFormat
import OpenerNSE
import Synchronization

/// The replay record of a known-answer device; nothing is pruned.
final class CaseReplays: ReplayRecord {
    private struct Message: Hashable {
        let conversation: ConversationIdentifier
        let identifier: MessageIdentifier
    }

    private let seen = Mutex<Set<Message>>([])
    private let readable = Mutex(true)

    /// What the environment of a step says: more that is remembered, and whether the record can be read.
    func set(_ environment: JSONValue) {
        readable.withLock { $0 = environment["replay"]?.text != "unreadable" }
        guard case .array(let pairs)? = environment["seen"] else { return }
        for case .array(let pair) in pairs where pair.count == 2 {
            guard let conversation = try? ConversationIdentifier(pair[0].text ?? ""),
                let identifier = MessageIdentifier(pair[1].text ?? "")
            else { continue }
            seen.withLock { _ = $0.insert(Message(conversation: conversation, identifier: identifier)) }
        }
    }

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        guard readable.withLock({ $0 }) else { return .unchecked }
        let message = Message(conversation: conversation, identifier: message)
        return seen.withLock { $0.insert(message).inserted } ? .new : .seen
    }
}
