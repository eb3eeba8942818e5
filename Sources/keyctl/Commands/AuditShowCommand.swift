import EnvelopeFormat
import KeyStore

/// `audit show`: what was done with keys, and by whom.
enum AuditShowCommand {
    /// Entries asked of the store at once.
    private static let entriesAtOnce: Int64 = 1_000

    static let row = Command(
        "audit show", "show what was done with keys, by whom, and what was refused",
        details: [
            "The oldest first, all of them unless --limit says how many. Each entry is authenticated as it is read; "
                + "whether entries are missing is for audit verify to say."
        ],
        options: [
            OptionSpec("after", "N", "only entries after that number"),
            OptionSpec("limit", "N", "at most so many"),
            OptionSpec("conversation", "CID", "only entries of that conversation"),
        ],
        example: "audit show --store sealer --conversation chat-1 --limit 20", role: .any, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let limit = try invocation.wholeNumber("limit") ?? .max
        let conversation = try invocation.value("conversation").map { try ConversationIdentifier($0) }
        var last = try invocation.wholeNumber("after") ?? 0
        let store = try invocation.openStore()
        var entries: [AuditEntry] = []
        while Int64(entries.count) < limit {
            let count = min(entriesAtOnce, limit - Int64(entries.count))
            let part = try store.auditEntries(after: last, of: conversation, limit: Int(count))
            entries += part
            guard Int64(part.count) == count, let number = part.last?.number else { break }
            last = number
        }
        return Report(
            lines: AuditView.lines(of: entries),
            json: .members(["entries": .list(entries, AuditView.json)]))
    }
}
