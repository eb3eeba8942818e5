/// The class keys one operation uses: fetched when first needed, wiped when the operation is over. In short lists, as each row
/// asks several times.
final class OperationKeys {
    private let source: any ClassKeySource
    private let transaction: any StorageTransaction
    private var fetched: [(version: ClassKeyVersion, key: GuardedBytes)]
    private var currentVersions = [ClassKeyVersion.integrity]
    private var isOver = false

    /// - Parameter keys: those at hand already, as when a store is made or being unlocked.
    init(_ keys: ClassKeys = [:], _ source: any ClassKeySource, _ transaction: any StorageTransaction) {
        self.source = source
        self.transaction = transaction
        fetched = keys.map { ($0.key, $0.value) }
    }

    /// Lets the keys go; whoever kept the transaction reads and writes nothing more with it.
    func end() {
        fetched = []
        isOver = true
    }

    /// The newest of that name; nil when it is locked away.
    func key(_ name: ClassKeyName) throws(KeyStoreError) -> GuardedBytes? {
        try classKey(try currentVersion(of: name))
    }

    /// Nil when it is locked away.
    func classKey(_ version: ClassKeyVersion) throws(KeyStoreError) -> GuardedBytes? {
        guard !isOver else { throw KeyStoreError(.refused, "transaction", "it is over") }
        if let known = fetched.first(where: { $0.version == version }) { return known.key }
        guard let key = try source.fetch(version, in: transaction) else { return nil }
        fetched.append((version, key))
        return key
    }

    /// Whether there is a class key of that name and number, at hand or not.
    func isKept(_ version: ClassKeyVersion) throws(KeyStoreError) -> Bool {
        try ClassKeyRow.versions(of: version.name, in: transaction).contains(version)
    }

    /// The class key of that name to wrap under.
    func currentVersion(of name: ClassKeyName) throws(KeyStoreError) -> ClassKeyVersion {
        if let known = currentVersions.first(where: { $0.name == name }) { return known }
        let versions = try ClassKeyRow.versions(of: name, in: transaction)
        guard let current = versions.max(by: { $0.version < $1.version }) else {
            throw KeyStoreError(.damaged, "row class_key", "there is none of \(name.rawValue)")
        }
        currentVersions.append(current)
        return current
    }

    /// Has the keys looked for anew: they are being replaced.
    func forgetCurrentVersions() { currentVersions = [.integrity] }
}

extension ClassKeyRow {
    /// The class keys there are, each once, without those that are gone; not yet believed.
    /// - Parameter name: for those of one name alone.
    static func versions(
        of name: ClassKeyName? = nil, in transaction: any StorageTransaction
    ) throws(KeyStoreError) -> Set<ClassKeyVersion> {
        var versions: Set<ClassKeyVersion> = []
        let matches = name.map { [Match.equal("name", $0.rawValue)] } ?? []
        for row in try transaction.rows(.classKey, matches, limit: nil) {
            let record = try Held<ClassKeyRow>(row).record
            guard !record.isGone else { continue }
            versions.insert(ClassKeyVersion(record.name, record.version))
        }
        return versions
    }
}
