import CSQLite
import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

/// Edits the database behind the store's back, as somebody with the file and without the keys can.
@Suite struct RowTamperingTests {
    /// A store of either role with a row in every table of that role.
    static func furnished(_ role: StoreRole) throws -> Scene {
        let scene = try Scene(role)
        let chat = try ConversationIdentifier("chat-1")
        switch role {
        case .sealer:
            let sealer = try SealerStore(scene.store)
            let phones = [Phone(), Phone()]
            for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
            let other = try ConversationIdentifier("chat-2")
            for name in [chat, other] {
                _ = try sealer.provision(name, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
            }
            _ = try sealer.rekey(chat, promoteAfter: 86_400, now: scene.now)
            let kid = try sealer.sealingState(chat, now: scene.now).kid
            for _ in 0..<2 { _ = try sealer.leaseSeals(kid, of: chat, count: 64, now: scene.now) }
            _ = try sealer.leaseSeals(
                try sealer.sealingState(other, now: scene.now).kid, of: other, count: 1, now: scene.now)
            for (age, kind) in RotationRun.Kind.allCases.enumerated() {
                _ = try sealer.beginRotation(kind, olderThan: Int64(age) + 1, now: scene.now)
            }
            for _ in 0..<2 {
                let (old, new) = (Phone(), Phone())
                _ = try sealer.enroll(try old.document(), now: scene.now)
                _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now)
            }
            try scene.store.setAnchor(scene.root + "/anchor", now: scene.now)
        case .device:
            let device = try DeviceStore(scene.store)
            _ = try device.makeIdentity(name: "phone", now: scene.now)
            for number in 1...2 {
                try device.splitAdd(
                    SymmetricKey(size: .bits256), conversation: chat, until: scene.now + Int64(number), now: scene.now)
                try Keychain(scene.store).add(
                    service: "service", account: "account \(number)", value: SymmetricKey(size: .bits128),
                    accessible: .whenUnlocked, label: "label", now: scene.now)
                _ = device.remember(
                    chat, messageIdentifier: [UInt8](repeating: UInt8(number), count: 16), until: scene.now + 60,
                    now: scene.now)
            }
            try device.transaction(now: scene.now) { (transaction) throws(KeyStoreError) in
                for epoch in 0..<2 {
                    try transaction.add(
                        HeldEpochRecord(
                            conversation: chat, algorithm: .dir,
                            kid: try! .init(handle: .init("AAAAAAAAAAAAAAAA")!, epoch: epoch),
                            openUntil: epoch == 0 ? 5 : nil, accessible: .whenUnlocked, installOrder: 1),
                        secret: try! ConversationSecret(SymmetricKey(size: .bits256)))
                }
                try transaction.rememberInstalled(bundleDigest: [1, 2, 3], sequence: 7)
                try transaction.rememberInstalled(bundleDigest: [4, 5, 6], sequence: 8)
            }
        }
        return scene
    }

    private static func tables(of role: StoreRole) -> [Table] {
        switch role {
        case .sealer:
            [
                .store, .slot, .classKey, .digest, .anchor, .serviceKey, .auditLog, .auditEntry, .device, .sequence,
                .conversation, .conversationSecret, .lease, .member, .bundle, .handleUse, .rotationRun, .replacement,
            ]
        case .device: [.identity, .deviceState, .heldEpoch, .installedBundle, .replay, .splitKey, .item]
        }
    }

    /// Tables that need not have two rows, of which one could take the other's place.
    private static let lonely: Set<Table> = [.store, .slot, .anchor, .serviceKey, .auditLog, .deviceState]

    @Test func everyTableIsOfOneOfTheRoles() {
        #expect(Set(StoreRole.allCases.flatMap(Self.tables)) == Set(Table.allCases))
    }

    @Test(arguments: StoreRole.allCases) func everyEditOfEveryColumnIsFound(role: StoreRole) throws {
        let bench = try TamperingBench(Self.furnished(role))
        for table in Self.tables(of: role) {
            let identifier = try bench.last(table)
            for column in TamperingBench.columns(of: table) {
                try bench.find("edit", table, column, bench.edit(table, column, identifier))
                try bench.find("null", table, column, "UPDATE \(table.name) SET \(column) = NULL WHERE id = '\(identifier)'")
            }
        }
        for table in Self.tables(of: role) {
            for column in TamperingBench.columns(of: table) {
                #expect(bench.found.contains("edit \(table.name).\(column)"))
                let isEmpty = try bench.isEmpty(table, column)
                #expect(bench.found.contains("null \(table.name).\(column)") || isEmpty)
            }
        }
        try bench.expectWhole()
    }

    /// Every column of every table that the database has, by its own word, in each form that no record has there.
    @Test(arguments: StoreRole.allCases) func aValueOfAnotherFormIsFoundInEveryColumn(role: StoreRole) throws {
        let bench = try TamperingBench(Self.furnished(role))
        for table in Self.tables(of: role) {
            let identifier = try bench.last(table)
            for (column, type) in try bench.declared(table) {
                let values =
                    switch type {
                    case "INTEGER": ["0.5", "x'01'", "'soon'"]
                    case "TEXT": ["CAST(x'ff' AS TEXT)", "x'01'", "5"]
                    default: ["'text'", "5", "0.5"]
                    }
                for value in values {
                    try bench.find("form", table, column, "UPDATE \(table.name) SET \(column) = \(value) WHERE id = '\(identifier)'")
                }
                #expect(bench.found.contains("form \(table.name).\(column)"))
            }
        }
        try bench.expectWhole()
    }

    @Test(arguments: StoreRole.allCases) func rowsThatChangePlacesAreFound(role: StoreRole) throws {
        let bench = try TamperingBench(Self.furnished(role))
        for table in Self.tables(of: role) {
            let (name, identifier) = (table.name, try bench.last(table))
            try bench.find("rename", table, "id", "UPDATE \(name) SET id = id || 'A' WHERE id = '\(identifier)'")
            let other = try bench.first(table)
            guard other != identifier else {
                #expect(Self.lonely.contains(table), "\(name) has one row")
                continue
            }
            try bench.find(
                "change places", table, "id",
                """
                UPDATE \(name) SET id = 'moving' WHERE id = '\(other)';
                UPDATE \(name) SET id = '\(other)' WHERE id = '\(identifier)';
                UPDATE \(name) SET id = '\(identifier)' WHERE id = 'moving'
                """)
            for column in TamperingBench.columns(of: table) {
                guard try bench.differs(table, column, identifier, other) else { continue }
                try bench.find(
                    "swap", table, column,
                    """
                    CREATE TEMP TABLE swapped AS SELECT \(column) AS it FROM \(name) WHERE id = '\(other)';
                    UPDATE \(name) SET \(column) = (SELECT \(column) FROM \(name) WHERE id = '\(identifier)')
                        WHERE id = '\(other)';
                    UPDATE \(name) SET \(column) = (SELECT it FROM swapped) WHERE id = '\(identifier)';
                    DROP TABLE swapped
                    """)
            }
            #expect(bench.found.contains("swap \(name).sealed"))
        }
        try bench.expectWhole()
    }

    @Test(arguments: StoreRole.allCases) func rowsThatComeAndGoAreFound(role: StoreRole) throws {
        let bench = try TamperingBench(Self.furnished(role))
        for table in Self.tables(of: role) {
            let (name, identifier) = (table.name, try bench.last(table))
            try bench.find("delete", table, "id", "DELETE FROM \(name) WHERE id = '\(identifier)'")
            try bench.find("delete all", table, "id", "DELETE FROM \(name)")
            let rest = TamperingBench.columns(of: table).joined(separator: ", ")
            try bench.find(
                "copy", table, "id",
                "INSERT INTO \(name) SELECT id || 'A', \(rest) FROM \(name) WHERE id = '\(identifier)'")
        }
        try bench.expectWhole()
    }

    /// Every row is written once more, with its secret wrapped anew, so that there is an older whole of each.
    @Test(arguments: StoreRole.allCases) func whatWasThereBeforeIsFoundWholeAndByHalves(role: StoreRole) throws {
        let scene = try Self.furnished(role)
        let bench = try TamperingBench(scene)
        try bench.keepOld(Self.tables(of: role))
        try scene.store.write { (rows) throws(KeyStoreError) in
            for table in Self.tables(of: role) where table != .digest { try Self.rewrite(table.record, rows) }
        }
        try bench.expectWhole()
        for table in Self.tables(of: role) {
            let (name, identifier) = (table.name, try bench.last(table))
            let all = TamperingBench.columns(of: table)
            var parts = [all, ["version", "sealed"], ["version"], ["sealed"], all.filter { $0 != "sealed" }]
            if table.carriesSecret { parts += [["item_key", "value"], ["item_key"], ["value"], ["value", "version", "sealed"]] }
            for part in parts {
                let assignments = part.map { "\($0) = (SELECT \($0) FROM old_\(name) WHERE id = '\(identifier)')" }
                try bench.find(
                    "older", table, part == all ? "all" : part.joined(separator: " and "),
                    "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE id = '\(identifier)'")
            }
            #expect(bench.found.contains("older \(name).all"))
            try bench.find("older table", table, "id", "DELETE FROM \(name); INSERT INTO \(name) SELECT * FROM old_\(name)")
        }
        try bench.expectWhole()
    }

    private static func rewrite<R: Record>(_: R.Type, _ rows: RecordTransaction) throws(KeyStoreError) {
        for var held in try rows.all(R.self) {
            if let name = held.row.secret.flatMap({ ClassKeyName(rawValue: $0.classKey) }) {
                try rows.update(&held, secret: try rows.secret(of: held), under: name)
            } else {
                try rows.update(&held)
            }
        }
    }

    @Test func whatBelongsToOneConversationIsNotMovedToAnother() throws {
        let bench = try TamperingBench(Self.furnished(.sealer))
        for table in Table.allCases where table.columns.contains(where: { $0.name == "conversation" }) {
            guard Self.tables(of: .sealer).contains(table) else { continue }
            try bench.find(
                "move", table, "conversation",
                "UPDATE \(table.name) SET conversation = 'chat-2' WHERE conversation = 'chat-1'")
        }
        #expect(bench.found.count == 3)
        try bench.expectWhole()
    }

    @Test func secretsThatChangePlacesAreFoundThoughTheirRowsAreSealedAnew() throws {
        let scene = try Self.furnished(.sealer)
        try scene.store.write { (rows) throws(KeyStoreError) in
            let held = try rows.all(SecretRow.self)
            for (row, other) in [(held[0].row, held[1].row), (held[1].row, held[0].row)] {
                var edited = row
                edited.secret = other.secret
                edited.version += 1
                try rows.cipher.seal(&edited)
                try rows.storage.update(edited, from: row)
            }
        }
        let error = failure { _ = try scene.store.status(verify: true, now: scene.now) }
        #expect(error?.kind == .damaged && error?.reason == "its secret is not as it was written")
    }

    @Test func aRowsOlderSecretIsNotTakenForItsPresentOne() throws {
        let scene = try Self.furnished(.sealer)
        let sealer = try SealerStore(scene.store)
        let chat = try ConversationIdentifier("chat-2")
        let handle = try sealer.sealingState(chat, now: scene.now).kid.handle
        let database = try RawDatabase(scene.database)
        let old = try #require(
            try database.text(
                "SELECT quote(item_key) || '|' || quote(value) FROM conversation_secret WHERE id = '\(handle)'"))
        _ = try sealer.ratchet(chat, now: scene.now)
        let parts = old.split(separator: "|")
        try database.edit(
            "UPDATE conversation_secret SET item_key = \(parts[0]), value = \(parts[1]) WHERE id = '\(handle)'"
        ) {
            #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.kind == .damaged)
        }
        _ = try sealer.sealingState(chat, now: scene.now)
    }

    @Test func theTablesOfTheDatabaseAreThoseOfTheCode() throws {
        let scene = try Scene(.sealer)
        let database = try RawDatabase(scene.database)
        let names = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        #expect(Set(names) == Set(Table.allCases.map(\.name) + ["housekeeping", "schema_migration"]))
        for table in Table.allCases {
            let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
            let columns = try database.texts("SELECT name FROM pragma_table_info('\(table.name)')")
            #expect(columns == ["id", "version"] + table.columns.map(\.name) + secret + ["sealed"])
        }
    }

    /// What docs/spec/at-rest.md says of each table: its columns in order, which of them are fixed, and whether rows hold a secret.
    @Test func theTablesOfThePageAreThoseOfTheCode() throws {
        let url = ProjectFolder.root.appendingPathComponent("docs/spec/at-rest.md")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.hasPrefix("| table | name of a row |") })
        let rows = lines[(first + 2)...].prefix { $0.hasPrefix("|") }
        #expect(rows.count == Table.allCases.count)
        for (line, table) in zip(rows, Table.allCases) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 3 && cells[0] == "`\(table.name)`\(table.carriesSecret ? "*" : "")")
            let columns = cells[2].matches(of: /(?:^|, )(\*\*)?`([a-z_]+)`/).map { "\($0.2) \($0.1 == nil)" }
            // Of a row without a secret nothing is bound to one.
            #expect(columns == table.columns.map { "\($0.name) \($0.isFixed || !table.carriesSecret)" }, "\(table.name)")
        }
    }
}
