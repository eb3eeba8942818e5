import Glibc
import KeyStore
import StoreFixtures

extension CrashScene {
    /// The tables of which the number of rows is no part of the state.
    private static let unequalTables: Set = [
        // What is refused, or is tried again, has an entry more; see ``entries()``.
        "audit_entry",
        // Of the shards of a table those are there that ever had a row, by names that are drawn at random.
        "digest",
        // A sealer that is freed lets its leases go, killed it does not. How many seals were leased is told of each handle.
        "lease",
    ]

    /// The number of rows of every table that there is, as far as it belongs to the state.
    func rows(of directory: String) throws -> String {
        let database = directory + "/" + StoreConfiguration.standardAccessGroup + "/store.sqlite"
        return Self.text(try TableCounts.of(database))
    }

    /// The same of the backup; nil when there is none.
    func rowsOfBackup() throws -> String? {
        guard access(backup, F_OK) == 0 else { return nil }
        return Self.text(try Store.backupContents(of: backup, secret: keyFile(1)).rows)
    }

    private static func text(_ counts: [String: Int]) -> String {
        let counts = counts.filter { $0.value > 0 && !unequalTables.contains($0.key) }
        return "rows " + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
