import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// Adding, reading, changing, deleting and searching on an unlocked phone.
@Suite struct KeychainTests {
    @Test(arguments: AccessibilityClass.allCases) func anItemIsReadAsItWasAdded(accessible: AccessibilityClass) throws {
        let (scene, keychain) = try Scene.keychain()
        let value = SymmetricKey.value()
        try keychain.add(
            service: "mail", account: "anna", value: value, accessible: accessible, label: "Mail", now: 100)
        let item = try Keychain(scene.reopened()).get(service: "mail", account: "anna")
        #expect(item.service == "mail" && item.account == "anna" && item.label == "Mail")
        #expect(item.accessGroup == StoreConfiguration.standardAccessGroup && item.accessible == accessible)
        #expect(item.created == 100 && item.modified == 100 && item.value == value)
    }

    @Test func withoutAClassAnItemIsOfApplesDefault() throws {
        let (scene, keychain) = try Scene.keychain()
        defer { withExtendedLifetime(scene) {} }
        try keychain.add(service: "mail", account: "anna", value: .value(), now: 100)
        #expect(try keychain.get(service: "mail", account: "anna").accessible == .whenUnlocked)
    }

    @Test func serviceAndAccountAreTheName() throws {
        let (scene, keychain) = try Scene.keychain()
        defer { withExtendedLifetime(scene) {} }
        let names = [
            ("mail", "anna"), ("mail", "bert"), ("file", "anna"), ("a", "b/c"), ("a/b", "c"), ("", ""), ("mail", ""),
            ("", "mail"), ("e\u{301}", "x"), ("\u{e9}", "x"), ("'; DROP TABLE item; --", "%"),
        ]
        let values = names.map { _ in SymmetricKey.value() }
        for (name, value) in zip(names, values) {
            try keychain.add(service: name.0, account: name.1, value: value, now: 1)
        }
        for (name, value) in zip(names, values) {
            #expect(try keychain.get(service: name.0, account: name.1).value == value)
            let again = failure { try keychain.add(service: name.0, account: name.1, value: .value(), now: 2) }
            #expect(again?.kind == .alreadyExists && again?.keychainStatus == .duplicateItem)
        }
        #expect(try keychain.search(service: "mail").map(\.account) == ["", "anna", "bert"])
        #expect(try keychain.search().count == names.count)
        #expect(status { _ = try keychain.search(service: "MAIL") } == .itemNotFound)
    }

    @Test func anUpdateChangesWhatIsGivenAndNothingElse() throws {
        let (scene, keychain) = try Scene.keychain()
        defer { withExtendedLifetime(scene) {} }
        let (first, second) = (SymmetricKey.value(), SymmetricKey.value(200))
        try keychain.add(
            service: "mail", account: "anna", value: first, accessible: .afterFirstUnlock, label: "Mail", now: 100)
        try keychain.update(service: "mail", account: "anna", value: second, now: 200)
        var item = try keychain.get(service: "mail", account: "anna")
        #expect(item.value == second && item.label == "Mail" && item.accessible == .afterFirstUnlock)
        #expect(item.created == 100 && item.modified == 200)
        try keychain.update(service: "mail", account: "anna", label: "Post", now: 300)
        item = try keychain.get(service: "mail", account: "anna")
        #expect(item.value == second && item.label == "Post" && item.created == 100 && item.modified == 300)
        try keychain.update(service: "mail", account: "anna", value: first, label: "", now: 400)
        item = try keychain.get(service: "mail", account: "anna")
        #expect(item.value == first && item.label == "" && item.modified == 400)
        let empty = failure { try keychain.update(service: "mail", account: "anna", now: 500) }
        #expect(empty?.kind == .badInput && empty?.keychainStatus == .parameter)
    }

    @Test func aDeletedItemIsGoneAndCanBeAddedAnew() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "mail", account: "anna", value: .value(), now: 100)
        try keychain.delete(service: "mail", account: "anna")
        for status in [
            status { _ = try keychain.get(service: "mail", account: "anna") },
            status { try keychain.delete(service: "mail", account: "anna") },
            status { try keychain.update(service: "mail", account: "anna", value: .value(), now: 1) },
            status { _ = try keychain.search() },
        ] { #expect(status == .itemNotFound) }
        #expect(try scene.store.status(now: 1).erasurePending == false)
        let value = SymmetricKey.value()
        try keychain.add(service: "mail", account: "anna", value: value, now: 200)
        #expect(try keychain.get(service: "mail", account: "anna").value == value)
    }

    @Test func valuesAreReadBySearchOnlyWhenAskedFor() throws {
        let (scene, keychain) = try Scene.keychain()
        defer { withExtendedLifetime(scene) {} }
        let value = SymmetricKey.value()
        try keychain.add(service: "mail", account: "anna", value: value, label: "Mail", now: 100)
        let attributes = try #require(try keychain.search(service: "mail").first)
        #expect(attributes.value == nil && attributes.label == "Mail" && attributes.created == 100)
        #expect(try keychain.search(service: "mail", returningValues: true).map(\.value) == [value])
    }

    @Test(arguments: [1, 2, 4_096, 65_536]) func valuesHaveOneByteTo64KiB(byteCount: Int) throws {
        let (scene, keychain) = try Scene.keychain()
        defer { withExtendedLifetime(scene) {} }
        let value = SymmetricKey.value(byteCount)
        try keychain.add(service: "s", account: "a", value: value, now: 1)
        let read = try keychain.get(service: "s", account: "a").value
        #expect(read?.bitCount == byteCount * 8 && read == value)
    }

    @Test func whatIsOutOfBoundsIsRefusedAndLeavesNothing() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "s", account: "a", value: .value(), now: 1)
        let before = try scene.rowCounts()
        let long = String(repeating: "x", count: 1_025)
        let attempts: [() throws -> Void] = [
            { try keychain.add(service: "s", account: "b", value: .value(0), now: 1) },
            { try keychain.add(service: "s", account: "b", value: .value(65_537), now: 1) },
            { try keychain.update(service: "s", account: "a", value: .value(0), now: 1) },
            { try keychain.update(service: "s", account: "a", value: .value(65_537), now: 1) },
            { try keychain.add(service: long, account: "b", value: .value(), now: 1) },
            { try keychain.add(service: "s", account: long, value: .value(), now: 1) },
            { try keychain.add(service: "s", account: "b", value: .value(), label: long, now: 1) },
            { try keychain.update(service: "s", account: "a", label: long, now: 1) },
            { try keychain.add(service: "s\0", account: "b", value: .value(), now: 1) },
            { try keychain.delete(service: "s", account: "a\0") },
        ]
        for attempt in attempts { #expect(status(attempt) == .parameter) }
        #expect(try scene.rowCounts() == before)
        try keychain.add(service: String(long.dropLast()), account: "b", value: .value(), now: 1)
    }

    @Test func aDamagedItemIsDamageAndNeitherLockedNorMissing() throws {
        let (scene, keychain) = try Scene.keychain()
        for account in ["anna", "bert"] {
            try keychain.add(service: "mail", account: account, value: .value(), now: 1)
        }
        let database = try RawDatabase(scene.database)
        let edits = [
            "label = 'Mail'", "account = 'carl'", "class_key = 'after-first-unlock'", "modified = 2",
            "(item_key, value) = (SELECT item_key, value FROM item WHERE account = 'bert')",
        ]
        for edit in edits {
            try database.edit("UPDATE item SET \(edit) WHERE account = 'anna'") {
                for status in [
                    status { _ = try keychain.get(service: "mail", account: "anna") },
                    status { _ = try keychain.search(service: "mail") },
                    status { try keychain.update(service: "mail", account: "anna", label: "x", now: 1) },
                    status { try keychain.delete(service: "mail", account: "anna") },
                    status { try keychain.setAccessibility(.afterFirstUnlock, service: "mail", account: "anna", now: 1) },
                ] { #expect(status == .decode, "\(edit)") }
                #expect(status { try keychain.add(service: "mail", account: "anna", value: .value(), now: 1) } == .decode)
            }
        }
        #expect(try keychain.search(service: "mail", returningValues: true).count == 2)
    }

    @Test func aSealerStoreHasNoKeychain() throws {
        let scene = try Scene(.sealer)
        let error = failure { _ = try Keychain(scene.store) }
        #expect(error?.kind == .wrongRole && error?.keychainStatus == .notAvailable)
    }

    @Test func aKeychainReadsNoTableThrough() throws {
        let (scene, keychain) = try Scene.keychain()
        for number in 0..<50 {
            try keychain.add(service: "s\(number)", account: "a", value: .value(), now: 1)
        }
        _ = try keychain.get(service: "s7", account: "a")
        _ = try keychain.search(service: "s7")
        try keychain.update(service: "s7", account: "a", value: .value(), now: 2)
        try keychain.setAccessibility(.afterFirstUnlock, service: "s7", account: "a", now: 3)
        try keychain.delete(service: "s7", account: "a")
        let storage = try #require(scene.store.storage as? SQLiteStorage)
        for (sql, work) in try storage.work() where sql.contains(" item ") { #expect(work.scanned == 0, "\(sql)") }
    }

    @Test func aRehearsedChangeIsSeenInsideAndLeavesNothing() throws {
        let (scene, keychain) = try Scene.keychain()
        let inside = try scene.store.rehearse { store in
            let rehearsed = try Keychain(store)
            try rehearsed.add(service: "mail", account: "anna", value: .value(), now: 1)
            return try rehearsed.search().count
        }
        #expect(inside == 1)
        #expect(status { _ = try keychain.search() } == .itemNotFound)
    }
}
