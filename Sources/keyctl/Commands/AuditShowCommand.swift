import EnvelopeFormat
import KeyStore

/// `audit show`: what was done with keys, and by whom.
enum AuditShowCommand {
    /// Entries asked of the store at once.
    private static let entriesAtOnce: Int64 = 1_000

    static let row = Command(
        "audit show", "show what was done with keys, by whom, and what was refused",
        details: [
            "The oldest first, all of them unless --limit or --last says how many. Each entry is authenticated as it is read; "
                + "whether entries are missing is for audit verify to say. They are printed as they are read: where one does "
                + "not hold, those before it were printed, and the exit code says it. With --json the document is whole all the "
                + "same, and its member error says why entries are not in it."
        ],
        options: [
            OptionSpec("after", "N", "only entries after that number"),
            OptionSpec("limit", "N", "at most so many, 1 or more, from the oldest on"),
            OptionSpec("last", "N", "the last so many, 1 or more"),
            OptionSpec("conversation", "CID", "only entries of that conversation"),
        ],
        example: "audit show --store sealer --conversation chat-1 --limit 20", role: .any, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let count = try invocation.limit("last")
        for name in ["after", "limit"] where count != nil && invocation.has(name) {
            throw invocation.usage("--last and --\(name) exclude each other")
        }
        let limit = try count ?? invocation.limit() ?? .max
        let conversation = try invocation.value("conversation").map { try ConversationIdentifier($0) }
        var last = try invocation.wholeNumber("after") ?? 0
        let store = try invocation.openStore()
        if let count { last = try store.auditNumber(beforeLast: count, of: conversation) }
        var listing = AuditListing(invocation)
        do { return try show(invocation, last, conversation, limit, &listing) } catch {
            // What was begun is ended: half a document is none.
            if listing.hasBegun { try? listing.end(before: CommandError(reporting: error).message) }
            throw error
        }
    }

    private static func show(
        _ invocation: Invocation, _ first: Int64, _ conversation: ConversationIdentifier?, _ limit: Int64,
        _ listing: inout AuditListing
    ) throws -> Report {
        let store = try invocation.openStore()
        var last = first
        var job = LongJob(invocation, printsMeanwhile: true)
        defer { job.finish() }
        while listing.count < limit {
            let rest = "repeat it with --after \(last)\(invocation.has("last") ? " in place of --last" : "")"
            guard job.goesOn("entries", done: Int(listing.count), hint: rest) else {
                try listing.end(before: "interrupted after \(listing.count) entries")
                return .silent(.tryAgain)
            }
            let count = min(entriesAtOnce, limit - listing.count)
            let page = try store.auditPage(after: last, of: conversation, limit: Int(count))
            try listing.add(page.entries)
            if let fault = page.fault { throw fault }
            guard Int64(page.entries.count) == count, let number = page.entries.last?.number else { break }
            last = number
        }
        try listing.end()
        return .silent(.done)
    }
}
