import EnvelopeFormat

@testable import KeyStore

/// What the table of leases said whenever it was read: rows of ended epochs are gone from it later.
struct Leases {
    private var seen: [String: LeaseRow] = [:]

    /// Reads the table as it is now.
    mutating func read(_ store: Store) throws {
        let rows = try store.read { (rows) throws(KeyStoreError) in try rows.all(LeaseRow.self).map(\.record) }
        for row in rows { seen[row.identifier] = row }
    }

    var count: Int { seen.count }
    var holders: Set<Int64> { Set(seen.values.map(\.holder.process)) }

    /// Two leases of one epoch that share a number, as text; empty when all are disjoint.
    func overlaps() -> [String] {
        var found: [String] = []
        for (kid, leases) in Dictionary(grouping: seen.values, by: \.kid) {
            let ordered = leases.sorted { $0.first < $1.first }
            for (one, next) in zip(ordered, ordered.dropFirst()) where one.first + one.count > next.first {
                found.append("\(kid): \(one.first)+\(one.count) and \(next.first)+\(next.count)")
            }
        }
        return found
    }

    /// How many seals were leased under an epoch, as far as it was seen.
    func total(of kid: KeyIdentifier) -> Int64 { seen.values.filter { $0.kid == kid }.reduce(0) { $0 + $1.count } }
}
