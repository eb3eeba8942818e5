import CSQLite
import Foundation
import Testing

/// Who locks a store goes away from it: a lock that fails says so, whatever the reason is.
@Suite struct LockFailureTests {
    private func edit(_ stores: TestStores, _ sql: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let path = stores.place.folder.appendingPathComponent("phone/group.waxwing.default/store.sqlite").path
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test(
        arguments: [
            ("phone", "chmod 755 phone/group.waxwing.default", 77),
            ("phone", "rm phone/group.waxwing.default/store.sqlite", 69),
            ("phone", "head -c 8192 /dev/zero > phone/group.waxwing.default/store.sqlite", 65),
            ("phone", "mv phone other", 69), ("sealer", "mv key other.key", 69),
        ] as [(String, String, Int32)])
    func aLockThatFailsSaysSo(_ store: String, _ harm: String, _ status: Int32) throws {
        let stores = try TestStores()
        _ = try stores.ends("cp -a phone whole && cp -a key whole.key && \(harm)", 0)
        for line in ["keyctl lock --store \(store)", "keyctl lock --store \(store) --restart --json --quiet"] {
            let finished = try stores.ends(line, status)
            #expect(finished.output.isEmpty)
            let lines = finished.errorLines
            #expect(lines.first?.hasPrefix("keyctl: error: /") == true, "\(lines)")
            #expect(lines.suffix(2).first == "keyctl: error: the store was NOT locked")
            #expect(lines.last?.hasPrefix("keyctl: hint: class keys may still be held by the session") == true)
        }
        // So that nothing stays in the session.
        _ = try stores.place.run("rm -rf phone; mv whole phone; cp -p whole.key key")
    }

    /// It waits for the other writer once, and locks before.
    @Test func aLockWhileAnotherWritesLocks() throws {
        let stores = try TestStores()
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let path = stores.place.folder.appendingPathComponent("phone/group.waxwing.default/store.sqlite").path
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        let clock = ContinuousClock()
        let start = clock.now
        let finished = try stores.ends("keyctl lock --store phone --restart", 0)
        #expect(clock.now - start < .seconds(18))
        #expect(finished.outputText == "before-first-unlock\n")
        #expect(finished.errorText.hasPrefix("keyctl: warning: the store is locked, but "), "\(finished.errorText)")
        #expect(finished.errorText.contains("SQLite: database is locked"))
        try #require(sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try stores.ends("keyctl status --store phone", 0).outputText.contains("before-first-unlock"))
    }

    @Test func aLockFromTheFutureSaysSo() throws {
        let stores = try TestStores()
        try edit(stores, "INSERT INTO schema_migration VALUES (99, 'flying_cars', '', 0)")
        let finished = try stores.ends("keyctl lock --store phone", 78)
        #expect(finished.errorText.contains("schema 99 is newer"))
        #expect(finished.errorText.contains("\nkeyctl: error: the store was NOT locked\nkeyctl: hint: class keys may "))
        try edit(stores, "DELETE FROM schema_migration WHERE version = 99")
        #expect(try stores.ends("keyctl lock --store phone", 0).errorText.isEmpty)
    }
}
