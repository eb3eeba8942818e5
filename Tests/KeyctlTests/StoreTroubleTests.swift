import CSQLite
import Foundation
import Testing

/// Trouble with a store in the middle of a command: what is said of what was done, and of what was not.
@Suite struct StoreTroubleTests {
    private func database(_ stores: TestStores, _ store: String) throws -> OpaquePointer? {
        var handle: OpaquePointer?
        let path = stores.place.folder.appendingPathComponent("\(store)/group.waxwing.default/store.sqlite").path
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        return handle
    }

    private func edit(_ stores: TestStores, _ store: String, _ sql: String) throws {
        let handle = try database(stores, store)
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test func acceptStopsAtADamagedRow() throws {
        let stores = try TestStores()
        try edit(stores, "phone", "UPDATE device_state SET last_sequence = 1")
        _ = try stores.ends("{ echo garbage; cat bundles; echo garbage; } > mixed", 0)
        let plain = try stores.ends("keyctl accept --store phone mixed", 65)
        #expect(plain.outputText == "malformed\n")
        #expect(plain.errorLines.first?.hasPrefix("keyctl: error: row device_state/") == true, "\(plain.errorText)")
        let json = try stores.ends("keyctl accept --store phone --json mixed", 65)
        #expect(
            json.outputText
                == #"{"bundles":[{"outcome":"malformed","already":false,"seq":null,"kid":null,"sub":null}]}"# + "\n")
        #expect(json.errorText == plain.errorText)
    }

    @Test func acceptOnABusyStoreIsTriedAgain() throws {
        let stores = try TestStores()
        let handle = try database(stores, "phone")
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        let busy = try stores.ends("{ echo garbage; cat bundles; } | keyctl accept --store phone", 75)
        #expect(busy.outputText == "malformed\n")
        #expect(busy.errorText.hasPrefix("keyctl: error: "))
        try #require(sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        #expect(try stores.ends("keyctl accept --store phone bundles", 0).outputText.hasPrefix("installed "))
    }

    @Test func openSaysWhatIsWrongWithTheStore() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        try edit(stores, "phone", "UPDATE held_epoch SET state = 'deactivated'")
        let plain = try stores.ends("keyctl open --store phone push", 1)
        #expect(plain.outputText == "store-unavailable\nNew message\n")
        #expect(plain.errorLines.first?.hasPrefix("keyctl: error: row held_epoch/") == true, "\(plain.errorText)")
        let json = try stores.ends("keyctl open --store phone --json push", 1)
        #expect(json.outputText.hasPrefix(#"{"outcome":"store-unavailable","#))
        #expect(json.errorText == plain.errorText)
    }

    /// A file or a store whose directory is not there, or is none, cannot be created, whichever command was to do it.
    @Test(arguments: ["nowhere/at/new", "key/new"]) func whatHasNoDirectoryCannotBeCreated(_ path: String) throws {
        let stores = try TestStores()
        for line in [
            "init --store \(path) --role sealer --key-file other",
            "init --store other --role sealer --key-file \(path)",
            "init --store other --role sealer --key-file other.key --anchor \(path)",
            "init --store other --role sealer --key-file other.key --audit-key \(path)",
            "backup --store sealer --backup-key-file backup.key \(path)",
            "backup --store sealer --backup-key-file \(path) made.backup",
            "config set --store sealer anchor \(path)",
            "rewrap --store sealer --new-key-file \(path)",
            "split export --store sealer --conversation legacy --output \(path)",
            "audit checkpoint --store sealer --output \(path)",
        ] {
            let failed = try stores.ends("keyctl \(line)", 73)
            #expect(failed.outputText.isEmpty && failed.errorText.hasPrefix("keyctl: error: "), "\(line)")
        }
        _ = try stores.ends("keyctl backup --store sealer --backup-key-file backup.key good.backup", 0)
        _ = try stores.ends(
            "keyctl restore --store \(path) --key-file k --backup-key-file backup.key good.backup", 73)
        _ = try stores.ends("keyctl list --store sealer", 0)
    }

    @Test func aPathThatIsNoDirectoryHoldsNoStore() throws {
        let stores = try TestStores()
        for path in ["key", "key/store", "nowhere"] { _ = try stores.ends("keyctl list --store \(path)", 69) }
    }
}
