import EnvelopeFormat
import KeyStore

/// Which part of a list is asked for.
struct PageQuery {
    private static let standardLimit = 1_000

    let after: String?
    private let limit: Int

    /// - Throws: ``Problem`` for a limit that is none.
    init(_ query: [String: String]) throws(Problem) {
        after = query["after"]
        guard let text = query["limit"] else {
            limit = Self.standardLimit
            return
        }
        guard let value = JSONValue.number(text).plainInteger, (1...Int64(SealerStore.pageLimit)).contains(value) else {
            throw Problem(.invalid, "limit", "not a whole number from 1 to \(SealerStore.pageLimit)")
        }
        limit = Int(value)
    }

    /// The records of the page, and whether there are more.
    func cut<Record>(_ fetch: (Int) throws -> [Record]) throws -> (records: [Record], isMore: Bool) {
        let some = try fetch(min(limit + 1, SealerStore.pageLimit))
        return (Array(some.prefix(limit)), some.count > limit)
    }
}
