import BenchmarkSupport
import CSQLite
import Glibc

/// The least that a rotation of all can cost: the same rows updated in the same order with as many bytes, as many in a
/// transaction, by SQLite alone.
struct BareUpdates {
    private static let update = """
        UPDATE conversation_secret SET version = version + 1, epoch = epoch + 1, epoch_started = ?, item_key = ?, value = ?,
        sealed = ? WHERE id = ?
        """
    private static let entry = """
        INSERT INTO audit_entry (id, version, at, uid, pid, token, operation, subject, kid, result, reason, previous, mac, sealed)
        SELECT ?, 1, at, uid, pid, token, operation, ?, kid, result, reason, previous, mac, sealed FROM audit_entry LIMIT 1
        """

    let path: String
    let batch: Int
    /// Whether a row of the audit log is added for each, as a rotation must.
    let withEntries: Bool

    /// What it took, and of how many rows.
    func run() -> (cost: ProcessCost, count: Int) {
        let database = BareDatabase(path)
        let names = database.texts(
            "SELECT id FROM conversation_secret WHERE value IS NOT NULL ORDER BY conversation")
        let lengths = ["item_key", "value", "sealed"].map {
            database.number("SELECT length(\($0)) FROM conversation_secret WHERE value IS NOT NULL LIMIT 1")
        }
        var blobs = lengths.map { [UInt8](repeating: 0, count: $0) }
        let update = database.prepare(Self.update)
        let entry = database.prepare(Self.entry)
        defer { [update, entry].forEach { sqlite3_finalize($0) } }
        let before = Self.usage()
        let start = Clock.monotonic
        for (index, name) in names.enumerated() {
            if index % batch == 0 { database.execute("BEGIN IMMEDIATE") }
            sqlite3_bind_int64(update, 1, Int64(index))
            for number in blobs.indices {
                blobs[number].withUnsafeMutableBytes { $0.storeBytes(of: index &* 0x9E37_79B9, as: Int.self) }
                _ = waxwing_sqlite3_bind_blob(update, Int32(number + 2), blobs[number], Int32(blobs[number].count))
            }
            _ = waxwing_sqlite3_bind_text(update, 5, name, Int32(name.utf8.count))
            database.step(update)
            if withEntries { add(index, name, entry, database) }
            if index % batch == batch - 1 || index == names.count - 1 { database.execute("COMMIT") }
        }
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let wall = Clock.monotonic - start
        let after = Self.usage()
        let cost = ProcessCost(
            wall: wall, user: after.user - before.user, system: after.system - before.system, peak: after.peak)
        return (cost, names.count)
    }

    private func add(_ index: Int, _ name: String, _ entry: OpaquePointer?, _ database: BareDatabase) {
        // Behind all there are.
        let identifier = String(5_000_000_000_000_000 + index)
        _ = waxwing_sqlite3_bind_text(entry, 1, identifier, Int32(identifier.utf8.count))
        let subject = "conversation \(name)"
        _ = waxwing_sqlite3_bind_text(entry, 2, subject, Int32(subject.utf8.count))
        database.step(entry)
    }

    private static func usage() -> (user: Double, system: Double, peak: Int) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return (
            Double(user.tv_sec) + Double(user.tv_usec) / 1e6, Double(system.tv_sec) + Double(system.tv_usec) / 1e6,
            usage.ru_maxrss
        )
    }
}
