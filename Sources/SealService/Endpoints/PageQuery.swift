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

    /// The records of the page, and the name of the last where there are more behind it.
    /// - Parameter fetch: so many records behind a name.
    func cut<Record, Name>(
        after: Name?, _ name: (Record) -> Name, _ fetch: (Name?, Int) throws -> [Record]
    ) throws -> (records: [Record], next: Name?) {
        let records = try fetch(after, limit)
        // Asked by itself, as the store gives no more at a time than a page may have.
        guard let last = records.last.map(name), try !fetch(last, 1).isEmpty else { return (records, nil) }
        return (records, last)
    }
}
