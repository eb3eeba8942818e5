import CSQLite
import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// Edits the database behind the store's back, as somebody with the file and without the keys can.
@Suite struct RowTamperingTests {
    /// A store of either role with a row in every table of that role.
    private static func furnished(_ role: StoreRole) throws -> Scene {
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
            _ = try sealer.leaseSeals(kid, of: chat, count: 64, now: scene.now)
            _ = try sealer.beginRotation(.ratchet, olderThan: 1, now: scene.now)
        case .device:
            let device = try DeviceStore(scene.store)
            _ = try device.makeIdentity(name: "phone", now: scene.now)
            try device.splitAdd(SymmetricKey(size: .bits256), conversation: chat, until: scene.now + 1, now: scene.now)
            _ = device.remember(
                chat, messageIdentifier: [UInt8](repeating: 1, count: 16), until: scene.now + 60, now: scene.now)
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
            }
        }
        return scene
    }

    private static func tables(of role: StoreRole) -> [Table] {
        switch role {
        case .sealer:
            [
                .store, .slot, .classKey, .serviceKey, .device, .sequence, .conversation, .conversationSecret, .lease,
                .member, .bundle, .handleUse, .rotationRun,
            ]
        case .device: [.identity, .deviceState, .heldEpoch, .installedBundle, .replay, .splitKey]
        }
    }

    @Test func everyTableIsOfOneOfTheRoles() {
        #expect(Set(StoreRole.allCases.flatMap(Self.tables)) == Set(Table.allCases))
    }

    @Test(arguments: StoreRole.allCases) func everyEditOfEveryColumnIsFound(role: StoreRole) throws {
        let scene = try Self.furnished(role)
        let database = try RawDatabase(scene.database)
        #expect(try scene.store.status(verify: true, now: scene.now).verifiedRows ?? 0 > 10)
        for table in Self.tables(of: role) {
            let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
            let columns = ["version"] + table.columns.map(\.name) + secret + ["sealed"]
            let identifier = try #require(try database.text("SELECT max(id) FROM \(table.rawValue)"), "\(table)")
            for column in columns {
                try database.edit(
                    """
                    UPDATE \(table.rawValue) SET \(column) = CASE typeof(\(column))
                        WHEN 'integer' THEN \(column) + 1
                        WHEN 'text' THEN \(column) || 'A'
                        WHEN 'blob' THEN CAST(substr(\(column), 1, length(\(column)) - 1) || x'00' || x'01' AS BLOB)
                        ELSE (SELECT CASE type WHEN 'TEXT' THEN 'A' WHEN 'BLOB' THEN x'00' ELSE 1 END
                              FROM pragma_table_info('\(table.rawValue)') WHERE name = '\(column)') END
                    WHERE id = '\(identifier)'
                    """
                ) {
                    let error = failure { _ = try scene.store.status(verify: true, now: scene.now) }
                    #expect(error?.kind == .damaged, "\(table.rawValue).\(column): \(String(describing: error))")
                    #expect(
                        error?.subject == "row \(table.rawValue)/\(identifier)" || table == .store
                            || table == .classKey,
                        "\(table.rawValue).\(column): \(String(describing: error))")
                }
            }
        }
        #expect(try scene.store.status(verify: true, now: scene.now).verifiedRows ?? 0 > 10)
    }

    @Test(arguments: StoreRole.allCases) func rowsThatChangePlacesAreFound(role: StoreRole) throws {
        let scene = try Self.furnished(role)
        let database = try RawDatabase(scene.database)
        for table in Self.tables(of: role) {
            let rows = try database.texts("SELECT id FROM \(table.rawValue) ORDER BY id")
            guard rows.count > 1, let first = rows.first, let second = rows.last else { continue }
            try database.edit(
                """
                UPDATE \(table.rawValue) SET id = 'moving' WHERE id = '\(first)';
                UPDATE \(table.rawValue) SET id = '\(first)' WHERE id = '\(second)';
                UPDATE \(table.rawValue) SET id = '\(second)' WHERE id = 'moving'
                """
            ) {
                let error = failure { _ = try scene.store.status(verify: true, now: scene.now) }
                #expect(error?.kind == .damaged, "\(table.rawValue): \(String(describing: error))")
            }
        }
    }

    @Test func secretsThatChangePlacesAreFoundThoughTheirRowsAreSealedAnew() throws {
        let scene = try Self.furnished(.sealer)
        try scene.store.write { (rows) throws(KeyStoreError) in
            let held = try rows.all(SecretRow.self)
            var (first, second) = (held[0], held[1])
            (first.row.secret, second.row.secret) = (second.row.secret, first.row.secret)
            try rows.update(&first)
            try rows.update(&second)
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
        #expect(Set(names) == Set(Table.allCases.map(\.rawValue) + ["housekeeping", "schema_migration"]))
        for table in Table.allCases {
            let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
            let columns = try database.texts("SELECT name FROM pragma_table_info('\(table.rawValue)')")
            #expect(columns == ["id", "version"] + table.columns.map(\.name) + secret + ["sealed"])
        }
    }
}
