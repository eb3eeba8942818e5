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
            return [record.conversation.string, record.algorithm.rawValue, sealedUnder(record), counted]
                + waiting(record).map { "waiting \($0)" }
        }
        let lines = records.isEmpty ? [isFirst ? "no conversations" : "no more conversations"] : TableLayout.lines(rows)
        return View(
            lines: lines,
            json: .members(["conversations": .list(records, json), "next": next.map { .string($0.string) }]))
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
        lines.append("sealed under \(sealedUnder(record))")
        lines += waiting(record).map { "waiting \($0)" }
        lines += members(of: record).map { member in
            "member \(member.device) \(member.name), acknowledged \(member.acknowledged?.description ?? "nothing")"
        }
        return View(lines: lines + secrets(of: record).map(text), json: json(record))
    }

    /// The name of what is sealed under: a kid, or `split:` and 8 digits; `-` when there is none.
    static func sealedUnder(_ record: ConversationRecord) -> String {
        record.active.map { name($0, in: record) } ?? "-"
    }

    /// What is sealed under, and what waits.
    static func kids(_ record: ConversationRecord, active: KeyIdentifier?, waiting: KeyIdentifier?) -> [String] {
        [active.map { name($0, in: record) } ?? "-"] + (waiting.map { [name($0, in: record)] } ?? [])
    }

    static func json(_ record: ConversationRecord) -> JSONValue {
        json(record, active: record.active, waiting: record.waiting)
    }

    static func json(_ record: ConversationRecord, active: KeyIdentifier?, waiting: KeyIdentifier?) -> JSONValue {
        .members([
            "conversation": .string(record.conversation.string), "alg": .string(record.algorithm.rawValue),
            "accessible": .string(record.accessible.rawValue), "created_at": .integer(record.created),
            "until": record.until.map { .integer($0) },
            "kid": active.map { .string(name($0, in: record)) } ?? .null,
            "waiting": waiting.map { .string(name($0, in: record)) } ?? .null,
            "members": .list(members(of: record)) { member in
                .members([
                    "device": .string(member.device.string), "name": .string(member.name),
                    "acknowledged": member.acknowledged.map { .string($0.description) } ?? .null,
                ])
            },
            "secrets": .list(secrets(of: record), json),
        ])
    }

    /// By name.
    private static func members(of record: ConversationRecord) -> [MemberRecord] {
        record.members.sorted { ($0.name, $0.device.string) < ($1.name, $1.device.string) }
    }

    /// What is sealed under, what waits, then what was, the latest first.
    private static func secrets(of record: ConversationRecord) -> [HandleRecord] {
        let order: [KeyState] = [.active, .suspended, .preActivation, .deactivated, .compromised, .destroyed]
        func rank(_ secret: HandleRecord) -> Int { order.firstIndex(of: secret.state) ?? order.count }
        return record.handles.sorted { (rank($0), -$0.created) < (rank($1), -$1.created) }
    }

    private static func waiting(_ record: ConversationRecord) -> [String] {
        guard let waiting = record.waiting else { return [] }
        let promoteAt = record.handles.first { $0.handle == waiting.handle }?.promoteAt
        return [name(waiting, in: record) + (promoteAt.map { $0 <= now } == true ? " due" : "")]
    }

    /// When a waiting secret is promoted by itself: once its time has come, with the next seal at the latest.
    static func promotion(at time: Int64, now: Int64) -> String {
        time <= now ? "promotion due" : "promoted at \(Timestamp.text(time))"
    }

    private static var now: Int64 { Int64(time(nil)) }

    /// The kid, or of a split key its own name.
    private static func name(_ kid: KeyIdentifier, in record: ConversationRecord) -> String {
        record.handles.first { $0.handle == kid.handle }?.splitName ?? kid.description
    }

    private static func text(_ secret: HandleRecord) -> String {
        [
            "secret \(secret.splitName ?? secret.handle.string) \(secret.state.rawValue), epoch \(secret.epoch)",
            secret.promoteAt.map { promotion(at: $0, now: now) },
            secret.epochStartedAt.map { "since \(Timestamp.text($0))" },
            secret.openUntil.map { "devices open it until \(Timestamp.text($0))" }, "seals leased \(secret.leasedCount)",
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func json(_ secret: HandleRecord) -> JSONValue {
        .members([
            "handle": .string(secret.handle.string), "split_name": secret.splitName.map { .string($0) },
            "state": .string(secret.state.rawValue),
            "epoch": .integer(secret.epoch), "epoch_started_at": secret.epochStartedAt.map { .integer($0) } ?? .null,
            "activated_at": secret.activatedAt.map { .integer($0) } ?? .null,
            "promote_at": secret.promoteAt.map { .integer($0) } ?? .null,
            "open_until": secret.openUntil.map { .integer($0) } ?? .null,
            "seals_leased": .integer(secret.leasedCount),
        ])
    }
}
