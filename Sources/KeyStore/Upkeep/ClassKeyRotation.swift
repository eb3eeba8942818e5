internal import Glibc

/// Replaces the key of every accessibility class: a new version of each, every row moved under it in short transactions,
/// then the old versions destroyed (docs/decisions/0014-class-key-versions.md).
///
/// Both versions are at hand until the end, so that others work on meanwhile. What is left of one that was interrupted is
/// done by the next.
public final class ClassKeyRotation {
    /// How long others may have to wait for one step, about.
    private static let longestStep = Duration.milliseconds(12)
    private let rowsReadAtOnce: Int

    /// How many rows were moved.
    public private(set) var movedCount = 0
    /// How many rows were looked at, of how many that there were when it began.
    public private(set) var passedCount = 0
    public let rowCount: Int
    /// The newest version of each class key; rows under older ones are moved.
    private let current: [ClassKeyName: Int64]
    private let store: Store
    private var tables = Table.allCases.filter(\.carriesSecret)
    private var last: String?
    /// When it was begun, by the clock of the caller and by that which is never set.
    private let now: Int64
    private let started = ContinuousClock.now

    /// Makes the new class keys, or finds those that an interrupted rotation made.
    /// - Parameter secret: what unlocks the store, since the new keys are wrapped for it; nil for a sealer store that
    ///   records its key file.
    /// - Throws: `.locked` naming a class whose key is locked away, `.authenticationFailed`; nothing is changed then.
    public convenience init(_ store: Store, unlockedBy secret: UnlockSecret?, now: Int64) throws(KeyStoreError) {
        try self.init(store, unlockedBy: secret, now: now, rowsReadAtOnce: 500)
    }

    /// The same, by other amounts: a test has not so many rows that a step reaches the end of one.
    init(_ store: Store, unlockedBy secret: UnlockSecret?, now: Int64, rowsReadAtOnce: Int) throws(KeyStoreError) {
        self.store = store
        self.rowsReadAtOnce = rowsReadAtOnce
        self.now = now
        current = try store.auditingRefusals(of: Self.act, at: now) { () throws(KeyStoreError) in
            try Self.begin(store, secret, now)
        }
        let tables = tables
        rowCount = try store.storage.read { (rows) throws(KeyStoreError) in
            var count = 0
            for table in tables { count += try rows.count(table, []) }
            return count
        }
    }

    /// Moves some rows; false when there is none left. Others get a turn before it returns.
    public func step() throws(KeyStoreError) -> Bool {
        guard let table = tables.first else { return false }
        // Read without keeping writers out: most rows of a rotation that is resumed have been moved.
        let matches = last.map { [Match.after($0)] } ?? []
        let seen = try store.storage.read { (rows) throws(KeyStoreError) in
            try rows.rows(table, matches, limit: rowsReadAtOnce).map { ($0.identifier, needsMove($0)) }
        }
        let waiting = seen.filter(\.1).map(\.0)
        if !waiting.isEmpty, let reached = try move(table, waiting) {
            passedCount += (seen.firstIndex { $0.0 == reached } ?? 0) + 1
            last = reached
            return true
        }
        passedCount += seen.count
        if seen.count < rowsReadAtOnce {
            tables.removeFirst()
            last = nil
        } else {
            last = seen.last?.0
        }
        return !tables.isEmpty
    }

    /// Destroys the old versions: their wraps are shredded, and session holders let them go. To be called when no row is
    /// left.
    /// - Throws: `.refused` while rows may be left.
    public func finish() throws(KeyStoreError) {
        let end = now + started.duration(to: .now).components.seconds
        let act = AuditNote(Self.act.operation, Self.act.subject, reason: "finished, \(movedCount) rows moved")
        try store.auditingRefusals(of: act, at: end) { () throws(KeyStoreError) in
            guard tables.isEmpty, try !areOldUsed() else {
                throw KeyStoreError(.refused, "class keys", "rows are left under the old ones", hint: "do it once more")
            }
        }
        waitForReaders()
        try store.write(auditing: act, at: end) { (transaction) throws(KeyStoreError) in
            var destroyed: Set<ClassKeyVersion> = []
            for wrap in try transaction.all(ClassKeyRow.self) {
                guard let version = current[wrap.record.name], wrap.record.version < version else { continue }
                try transaction.delete(wrap)
                destroyed.insert(ClassKeyVersion(wrap.record.name, wrap.record.version))
            }
            guard !destroyed.isEmpty else {
                // Another process did it.
                transaction.act = nil
                return
            }
            transaction.noteShredding()
            try transaction.evict(Array(destroyed), from: store.source)
        }
    }

    /// Asked once more of the rows themselves: what was put back past the program since a step went by would be lost.
    private func areOldUsed() throws(KeyStoreError) -> Bool {
        try store.storage.read { (rows) throws(KeyStoreError) in
            for key in try ClassKeyRow.versions(in: rows) {
                if let version = current[key.name], key.version < version, try Self.isUsed(key, rows) { return true }
            }
            return false
        }
    }

    /// The name of the last row when the time was over before all were moved, else nil.
    private func move(_ table: Table, _ identifiers: [String]) throws(KeyStoreError) -> String? {
        let clock = ContinuousClock()
        var reached: String?
        var elapsed = Duration.zero
        try store.write { (transaction) throws(KeyStoreError) in
            let start = clock.now
            for (index, identifier) in identifiers.enumerated() {
                if let row = try transaction.storage.row(table, identifier), needsMove(row),
                    let name = row.secret.flatMap({ ClassKeyName(rawValue: $0.classKey) })
                {
                    try transaction.cipher.check(row)
                    try transaction.rewrapSecret(of: row, under: name)
                    movedCount += 1
                }
                elapsed = clock.now - start
                if elapsed > Self.longestStep, index + 1 < identifiers.count {
                    reached = identifier
                    return
                }
            }
        }
        // SQLite has nobody queue: who waits for the lock comes to look again.
        usleep(useconds_t(min(20_000, max(1_000, elapsed.components.attoseconds / 1_000_000_000_000))))
        return reached
    }

    private func needsMove(_ row: StoredRow) -> Bool {
        guard let secret = row.secret, let name = ClassKeyName(rawValue: secret.classKey), let version = current[name]
        else { return false }
        return secret.classKeyVersion < version
    }

    /// A reader that began before the last row was moved may be about to ask for an old class key; once the log can be
    /// cut there is none. One that stays for long is told that the store is locked, once.
    private func waitForReaders() {
        for _ in 0..<50 {
            if (try? store.storage.eraseDeleted()) == true { return }
            usleep(20_000)
        }
    }

    private static let act = AuditNote(.classKey, "store")

    private static func begin(
        _ store: Store, _ secret: UnlockSecret?, _ now: Int64
    ) throws(KeyStoreError) -> [ClassKeyName: Int64] {
        try store.withKeybag(openedBy: secret) { (keybag, unlocked) throws(KeyStoreError) in
            try store.write(at: now) { (transaction) throws(KeyStoreError) -> [ClassKeyName: Int64]? in
                guard try keybag.holds(in: transaction) else { return nil }
                try requireUnlocked(store, transaction, unlocked)
                return try newest(store, transaction, unlocked)
            }
        }
    }

    /// Rows under a key that is locked away could not be moved, and its successor would be readable where it is not.
    private static func requireUnlocked(
        _ store: Store, _ transaction: RecordTransaction, _ unlocked: Keybag.Unlocked
    ) throws(KeyStoreError) {
        guard try store.lockState(in: transaction) != .beforeFirstUnlock else { throw RowCipher.locked("store") }
        let versions = unlocked.keys.keys
        for version in versions.sorted(by: { $0.sessionName < $1.sessionName }) {
            guard try transaction.cipher.keys.classKey(version) == nil else { continue }
            // One that was being destroyed may be out of the session already, and nothing misses it.
            let isOld = versions.contains { $0.name == version.name && $0.version > version.version }
            guard isOld, try !isUsed(version, transaction.storage) else {
                throw RowCipher.locked("class key \(version.name.rawValue)")
            }
        }
        guard try store.lockState(in: transaction) == .unlocked else { throw RowCipher.locked("store") }
    }

    /// Whether a row is under that class key.
    private static func isUsed(
        _ key: ClassKeyVersion, _ rows: any StorageTransaction
    ) throws(KeyStoreError) -> Bool {
        for table in Table.allCases where table.carriesSecret {
            if try !rows.rows(table, key.matches, limit: 1).isEmpty { return true }
        }
        return false
    }

    /// The newest versions, after new ones were made unless there are some already.
    private static func newest(
        _ store: Store, _ transaction: RecordTransaction, _ unlocked: Keybag.Unlocked
    ) throws(KeyStoreError) -> [ClassKeyName: Int64] {
        guard try transaction.storage.count(.slot, []) == 1 else {
            throw KeyStoreError(.refused, store.directory, "there is more than one way to unlock it")
        }
        var versions: [ClassKeyName: [Int64]] = [:]
        for version in unlocked.keys.keys where version.name != .integrity {
            versions[version.name, default: []].append(version.version)
        }
        var newest = versions.compactMapValues { $0.max() }
        guard versions.values.allSatisfy({ $0.count == 1 }) else {
            transaction.audit(act.operation, act.subject, reason: "taken up again")
            return newest
        }
        var made: ClassKeys = [:]
        for (name, version) in newest {
            let next = ClassKeyVersion(name, version + 1)
            let key: GuardedBytes
            do { key = try GuardedBytes(randomCount: KeyWrap.keyByteCount) } catch {
                throw KeyStoreError(error, "class key \(name.rawValue)")
            }
            try transaction.insert(
                try Keybag.wrap(key, next, store: store.identifier, slot: unlocked.slot, under: unlocked.kek))
            made[next] = key
            newest[name] = next.version
        }
        transaction.audit(act.operation, act.subject, reason: "begun, \(made.count) new keys")
        transaction.noteKeyChange()
        // From the commit on they are wrapped under, by everybody.
        let timeout = try store.source.timeoutOfFurther(in: transaction.storage)
        try transaction.admit(made, timeout: timeout, to: store.source)
        return newest
    }
}
