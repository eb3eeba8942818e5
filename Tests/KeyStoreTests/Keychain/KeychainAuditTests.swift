import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// What the audit log says of the keychain: which item, never what is in it.
@Suite struct KeychainAuditTests {
    private static let work = try! Argon2idParameters(passes: 1, memoryMiB: 8)

    private func texts(_ entries: ArraySlice<AuditEntryRow>) -> [String] {
        entries.map {
            "\($0.result == .refused ? "refused " : "")\($0.operation.rawValue) \($0.subject): \($0.reason ?? "")"
        }
    }

    @Test func everyChangeOfAnItemIsAnEntry() throws {
        let (scene, keychain) = try Scene.keychain()
        let secret = "correct horse"
        let value = SymmetricKey(data: Array(secret.utf8))
        let added = try scene.addedEntries {
            try keychain.add(service: "mail", account: "anna", value: value, now: scene.now)
            try keychain.update(service: "mail", account: "anna", value: value, label: "x", now: scene.now)
            try keychain.update(service: "mail", account: "anna", label: "", now: scene.now)
            try keychain.setAccessibility(.afterFirstUnlock, service: "mail", account: "anna", now: scene.now)
            // It is so already.
            try keychain.setAccessibility(.afterFirstUnlock, service: "mail", account: "anna", now: scene.now)
            // To read is no change.
            _ = try keychain.get(service: "mail", account: "anna")
            try keychain.delete(service: "mail", account: "anna", now: scene.now)
        }
        #expect(
            texts(added) == [
                "item-add item mail/anna: when-unlocked", "item-update item mail/anna: value and label",
                "item-update item mail/anna: label", "item-class item mail/anna: when-unlocked -> after-first-unlock",
                "item-delete item mail/anna: ",
            ])
        #expect(added.allSatisfy { $0.at == scene.now })
        let dump = try RawDatabase(scene.database).dump()
        #expect(!dump.contains { $0.contains(secret) } && dump.contains { $0.contains("item mail/anna") })
    }

    @Test func whatIsRefusedIsAnEntryAndNothingElse() throws {
        let (scene, keychain) = try Scene.keychain()
        let now = scene.now
        try keychain.add(service: "s", account: "a", value: .value(), now: now)
        let long = String(repeating: "n", count: Keychain.maximumNameByteCount + 1)
        try scene.expectRefusal("item-add item s/a") { try keychain.add(service: "s", account: "a", value: .value(), now: now) }
        try scene.expectRefusal("item-add item s/big") {
            try keychain.add(service: "s", account: "big", value: .value(65_537), now: now)
        }
        try scene.expectRefusal("item-add \(AuditNote.bounded("item \(long)/a", AuditNote.longestSubject))") {
            try keychain.add(service: long, account: "a", value: .value(), now: now)
        }
        try scene.expectRefusal("item-update item s/b") { try keychain.update(service: "s", account: "b", label: "", now: now) }
        try scene.expectRefusal("item-update item s/a") { try keychain.update(service: "s", account: "a", now: now) }
        try scene.expectRefusal("item-delete item s/b") { try keychain.delete(service: "s", account: "b", now: now) }
        try scene.expectRefusal("item-class item s/b") {
            try keychain.setAccessibility(.afterFirstUnlock, service: "s", account: "b", now: now)
        }
        try scene.expectRefusal("item-class identity") {
            try keychain.setIdentityAccessibility(.afterFirstUnlock, now: now)
        }
        try scene.expectRefusal("item-class conversation chat-1") {
            try keychain.setAccessibility(.afterFirstUnlock, of: .of("chat-1"), now: now)
        }
        try scene.expectRefusal("item-class split:00000000") {
            try keychain.setAccessibility(.afterFirstUnlock, splitKey: "split:00000000", now: now)
        }
        try scene.bring(.locked)
        try scene.expectRefusal("item-update item s/a") { try keychain.update(service: "s", account: "a", label: "l", now: now) }
        // Before the first unlock nothing can be written.
        try scene.bring(.beforeFirstUnlock)
        #expect(failure { try keychain.update(service: "s", account: "a", label: "l", now: now) }?.kind == .locked)
        try scene.bring(.unlocked)
        #expect(try scene.entries().filter { $0.operation == .itemUpdate }.count == 3)
    }

    @Test func keysThatChangeClassAreEntriesEach() throws {
        let scene = try Scene(.device)
        let (keychain, device) = (try Keychain(scene.store), try DeviceStore(scene.store))
        let chat = try ConversationIdentifier.of("chat-1")
        let handle = try Handle(bytes: [UInt8](repeating: 1, count: 12))
        let kids = try (0..<2).map { try KeyIdentifier(handle: handle, epoch: $0) }
        let secret = try ConversationSecret(SymmetricKey(size: .bits256))
        try device.transaction(now: scene.now) { (device) throws(KeyStoreError) in
            for kid in kids {
                try device.add(
                    HeldEpochRecord(conversation: chat, algorithm: .dir, kid: kid, accessible: .standard, installOrder: 1),
                    secret: secret)
            }
        }
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        let former = AccessibilityClass.standard.rawValue
        let added = try scene.addedEntries {
            try keychain.setAccessibility(.whenUnlocked, of: kids[0], now: scene.now)
            try keychain.setAccessibility(.whenUnlocked, of: chat, now: scene.now)
            try keychain.setIdentityAccessibility(.whenUnlockedThisDeviceOnly, now: scene.now)
        }
        #expect(added.map(\.kid) == [kids[0], kids[1], nil])
        #expect(
            texts(added).dropLast() == [
                "item-class epoch \(kids[0]): \(former) -> when-unlocked",
                "item-class conversation chat-1: \(former) -> when-unlocked",
            ])
        #expect(texts(added).last?.hasSuffix(" -> when-unlocked-this-device-only") == true)
    }

    @Test func aPasscodeIsSetAndRemovedInTheLog() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        try keychain.add(
            service: "s", account: "a", value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: scene.now)
        let code = UnlockSecret.passphrase(try .of("4711"))
        let file = UnlockSecret.keyFile(path: scene.keyFile)
        try scene.expectRefusal("passcode store, removed") {
            try scene.store.removePasscode(.passphrase(.of("4712")), keyFile: scene.keyFile, now: scene.now)
        }
        try scene.expectRefusal("passcode store, set") {
            try scene.store.setPasscode(.of("1"), argon2id: Self.work, current: code, now: scene.now)
        }
        let added = try scene.added {
            try scene.store.removePasscode(code, keyFile: scene.keyFile, now: scene.now)
            try scene.store.setPasscode(.of("0815"), argon2id: Self.work, current: file, now: scene.now)
            try scene.store.rewrap(.passphrase(.of("0815")), to: .passphrase(.of("1")), now: scene.now)
        }
        #expect(added == ["passcode store, removed", "item-delete item s/a", "passcode store, set", "rewrap store"])
        try scene.expectRefusal("passcode store, set") {
            try scene.store.setPasscode(.of("1"), argon2id: Self.work, current: code, now: scene.now)
        }
        #expect(try scene.store.status(verify: true, now: scene.now).audit != nil)
    }
}
