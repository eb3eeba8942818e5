public import EnvelopeFormat

/// A version of an accessibility class's key, and how many rows are under it.
public struct ClassKeyUse: Equatable, Sendable {
    public let accessible: AccessibilityClass
    public let version: Int64
    public let rowCount: Int
}

extension Store {
    /// The class keys there are, by class and version.
    public func classKeyUse() throws(KeyStoreError) -> [ClassKeyUse] {
        try read { (transaction) throws(KeyStoreError) in
            var uses: [ClassKeyUse] = []
            for key in try ClassKeyRow.versions(in: transaction.storage) {
                guard let accessible = AccessibilityClass(rawValue: key.name.rawValue) else { continue }
                var count = 0
                for table in Table.allCases where table.carriesSecret {
                    count += try transaction.storage.count(table, key.matches)
                }
                uses.append(ClassKeyUse(accessible: accessible, version: key.version, rowCount: count))
            }
            return uses.sorted { ($0.accessible.rawValue, $0.version) < ($1.accessible.rawValue, $1.version) }
        }
    }
}
