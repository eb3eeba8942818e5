import CSQLite
import Foundation
import Testing

/// Stores that were edited behind our back, or come from another time.
@Suite struct StoreDamageTests {
    private func edit(_ stores: TestStores, _ sql: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let path = stores.place.folder.appendingPathComponent("sealer/group.waxwing.default/store.sqlite").path
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test func anEditedRowIsNamed() throws {
        let stores = try TestStores()
        try edit(stores, "UPDATE conversation SET until = 4102444801 WHERE id = 'chat'")
        let before = try StoreDump.of(stores.place.folder)
        for line in [
            "status --verify", "show chat", "seal --conversation chat --title T", "rotate --conversation chat",
        ] {
            let finished = try stores.ends("keyctl \(line) --store sealer", 65)
            #expect(finished.errorText == "keyctl: error: row conversation/chat: it is not as it was written\n")
            #expect(finished.output.isEmpty)
        }
        let after = try StoreDump.of(stores.place.folder)
        #expect(Set(after) == Set(before))
    }

    @Test func aMissingMigrationRecordIsDamage() throws {
        let stores = try TestStores()
        try edit(stores, "DROP TABLE schema_migration")
        _ = try stores.ends("keyctl list --store sealer", 65)
    }

    @Test func aSchemaFromTheFutureIsRefused() throws {
        let stores = try TestStores()
        try edit(stores, "INSERT INTO schema_migration VALUES (99, 'flying_cars', '', 0)")
        let finished = try stores.ends("keyctl list --store sealer", 78)
        #expect(finished.errorText.contains("schema 99 is newer"))
        #expect(finished.errorText.contains("keyctl: hint: "))
    }

    @Test func aBusyStoreIsTriedAgainLater() throws {
        let stores = try TestStores()
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let path = stores.place.folder.appendingPathComponent("sealer/group.waxwing.default/store.sqlite").path
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        _ = try stores.ends("keyctl list --store sealer", 0)
        if ProcessInfo.processInfo.environment["SLOW"] != nil {
            _ = try stores.ends("keyctl rotate --store sealer --conversation chat", 75)
        }
    }
}
