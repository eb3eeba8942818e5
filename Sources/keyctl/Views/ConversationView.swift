import BackendJSON
import EnvelopeFormat
import Glibc
import KeyStore

/// How a conversation of a sealer store is shown.
enum ConversationView {
    static func firstPage(of sealer: SealerStore) throws -> View { try list(of: sealer, Page()).view }

    static func list(of sealer: SealerStore, _ page: Page) throws -> (view: View, next: String?) {
        let after = try page.after.map { try ConversationIdentifier($0) }
        let records = try sealer.conversations(after: after, limit: page.limit)
        let last = records.last?.conversation
        let isMore = try last.map { try !sealer.conversations(after: $0, limit: 1).isEmpty } ?? false
        return (view(of: records, isFirst: page.isFirst, next: isMore ? last : nil), isMore ? last?.string : nil)
    }

    /// Some of the conversations, a line each.
    /// - Parameter next: the last of them, where there are more.
    static func view(of records: [ConversationRecord], isFirst: Bool = true, next: ConversationIdentifier? = nil) -> View {
        let rows = records.map { record in
            let counted = "members \(record.members.count)"
            return [record.conversation.string, record.algorithm.rawValue, ConversationForm.sealedUnder(record), counted]
                + waiting(record).map { "waiting \($0)" }
        }
        let lines = records.isEmpty ? [isFirst ? "no conversations" : "no more conversations"] : TableLayout.lines(rows)
        return View(
            lines: lines,
            json: .members(["conversations": .list(records, ConversationForm.json), "next": next.map { .string($0.string) }]))
    }

    /// The conversation as it is now, which may be not at all.
    static func view(of conversation: ConversationIdentifier, in sealer: SealerStore) throws -> View {
        do {
            return view(of: try sealer.conversation(conversation))
        } catch {
            guard error.kind == .notFound else { throw error }
            return .absent("conversation \(conversation)")
        }
    }

    static func view(of record: ConversationRecord) -> View {
        var lines = [
            "conversation \(record.conversation)", "alg \(record.algorithm.rawValue)",
            "accessible \(record.accessible.rawValue)",
        ]
        if let until = record.until { lines.append("until \(Timestamp.text(until))") }
        lines.append("sealed under \(ConversationForm.sealedUnder(record))")
        lines += waiting(record).map { "waiting \($0)" }
        lines += ConversationForm.members(of: record).map { member in
            "member \(member.device) \(member.name), acknowledged \(member.acknowledged?.description ?? "nothing")"
        }
        return View(lines: lines + ConversationForm.secrets(of: record).map(text), json: ConversationForm.json(record))
    }

    private static func waiting(_ record: ConversationRecord) -> [String] {
        guard let waiting = record.waiting else { return [] }
        let promoteAt = record.handles.first { $0.handle == waiting.handle }?.promoteAt
        return [ConversationForm.name(waiting, in: record) + (promoteAt.map { $0 <= now } == true ? " due" : "")]
    }

    /// When a waiting secret is promoted by itself: once its time has come, with the next seal at the latest.
    static func promotion(at time: Int64, now: Int64) -> String {
        time <= now ? "promotion due" : "promoted at \(Timestamp.text(time))"
    }

    private static var now: Int64 { Int64(time(nil)) }

    private static func text(_ secret: HandleRecord) -> String {
        [
            "secret \(secret.splitName ?? secret.handle.string) \(secret.state.rawValue), epoch \(secret.epoch)",
            secret.promoteAt.map { promotion(at: $0, now: now) },
            secret.epochStartedAt.map { "since \(Timestamp.text($0))" },
            secret.openUntil.map { "devices open it until \(Timestamp.text($0))" }, "seals leased \(secret.leasedCount)",
        ].compactMap(\.self).joined(separator: ", ")
    }
}
