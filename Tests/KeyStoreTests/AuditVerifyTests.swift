import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials
import Testing

@testable import KeyStore

/// What becomes of a log that somebody had his hands on, and what can be told of it with a key and a checkpoint.
@Suite struct AuditVerifyTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let key: AuditKey

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
        for _ in 0..<4 { _ = try sealer.ratchet(chat, now: scene.now) }
        key = try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: scene.auditKeyFile))))
    }

    private func count() throws -> Int64 { Int64(try scene.entries().count) }

    @Test func aLogThatNobodyTouchedHolds() throws {
        let checkpoint = try scene.store.auditCheckpoint(now: scene.now)
        _ = try sealer.ratchet(chat, now: scene.now)
        let all = try count()
        #expect(checkpoint.number == all - 1)
        #expect(
            try scene.store.verifyAudit(key: key, checkpoint: checkpoint)
                == AuditVerification(entries: all, fault: nil, checkpoint: all - 1, unchecked: []))
        #expect(try scene.store.verifyAudit(key: key).unchecked == [.tail])
        #expect(try scene.store.verifyAudit(checkpoint: checkpoint).unchecked == [.macs, .signer])
        #expect(try scene.store.verifyAudit().unchecked == [.macs, .tail])
        #expect(try scene.store.verifyAudit().holds)
        #expect(try scene.store.status(verify: true, now: scene.now).audit?.entries == all)
    }

    // MARK: Somebody with the file

    struct Edit: CustomTestStringConvertible, Sendable {
        let sql: String
        let fault: Int64
        var testDescription: String { sql }
    }

    private static let columns = "at, uid, pid, token, operation, subject, kid, result, reason, previous, mac, sealed"

    static let edits = [
        Edit(sql: "UPDATE audit_entry SET reason = 'another' WHERE id = '0000000000000005'", fault: 5),
        Edit(sql: "UPDATE audit_entry SET at = at - 1 WHERE id = '0000000000000001'", fault: 1),
        Edit(sql: "DELETE FROM audit_entry WHERE id = '0000000000000001'", fault: 1),
        Edit(sql: "DELETE FROM audit_entry WHERE id = '0000000000000005'", fault: 5),
        Edit(sql: "DELETE FROM audit_entry WHERE id >= '0000000000000007'", fault: 7),
        Edit(sql: "DELETE FROM audit_entry", fault: 1),
        Edit(
            sql: """
                UPDATE audit_entry SET id = 'x' WHERE id = '0000000000000005';
                UPDATE audit_entry SET id = '0000000000000005' WHERE id = '0000000000000006';
                UPDATE audit_entry SET id = '0000000000000006' WHERE id = 'x'
                """, fault: 5),
        Edit(
            sql: """
                INSERT INTO audit_entry SELECT '0000000000000004x', version, \(columns) FROM audit_entry
                WHERE id = '0000000000000004'
                """, fault: 5),
        Edit(
            sql: """
                INSERT INTO audit_entry SELECT '0000000000000010', version, \(columns) FROM audit_entry
                WHERE id = '0000000000000009'
                """, fault: 10),
        Edit(
            sql: """
                UPDATE audit_entry SET (\(columns)) =
                    (SELECT \(columns) FROM audit_entry WHERE id = '0000000000000004')
                WHERE id = '0000000000000006'
                """, fault: 6),
    ]

    @Test(arguments: edits) func theFirstEntryThatDoesNotHoldIsNamed(edit: Edit) throws {
        #expect(try count() == 9)
        try RawDatabase(scene.database).run(edit.sql)
        #expect(try scene.store.verifyAudit().fault?.number == edit.fault)
        #expect(try scene.store.verifyAudit(key: key).fault?.number == edit.fault)
        #expect(try scene.store.verifyAudit(key: key).entries == edit.fault - 1)
        let error = failure { _ = try scene.store.status(verify: true, now: scene.now) }
        #expect(error?.kind == .damaged)
        #expect(error?.subject.hasSuffix("\(edit.fault)") == true || edit.sql.contains("id = 'x'") || edit.fault == 5)
    }

    @Test func aLogWithoutItsRowDoesNotHold() throws {
        try RawDatabase(scene.database).run("DELETE FROM audit_log")
        #expect(try scene.store.verifyAudit().fault?.number == 1)
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .damaged)
    }

    // MARK: Somebody with the store's keys

    /// Writes an entry anew, and all that follows from it, with every key that is at hand today.
    private func rewrite(_ number: Int64) throws {
        try scene.store.write { (rows) throws(KeyStoreError) in
            let log = try AuditLog.row(rows)
            let today = try AuditForger(rows, log)
            var head: [UInt8]?
            for held in try rows.all(AuditEntryRow.self) where held.record.number >= number {
                var edited = held.row
                if held.record.number == number { edited.values[8] = .text("nothing happened") }
                if let head { edited.values[9] = .blob(head) }
                head = try today.reseal(held, as: edited, rows)
            }
            try rows.edit(log) { $0[4] = FieldValue(head) }
        }
    }

    @Test func whoRewritesYesterdayTodayIsFoundWithTheKeyAlone() throws {
        try rewrite(5)
        let without = try scene.store.verifyAudit()
        #expect(without.holds && without.unchecked == [.macs, .tail])
        _ = try scene.store.status(verify: true, now: scene.now)
        #expect(
            try scene.store.verifyAudit(key: key).fault
                == AuditVerification.Fault(number: 5, reason: "its MAC is not of the key of its time"))
    }

    @Test func aRewrittenLogIsNotTheOneOfItsCheckpoint() throws {
        let checkpoint = try scene.store.auditCheckpoint(now: scene.now)
        try rewrite(5)
        #expect(
            try scene.store.verifyAudit(checkpoint: checkpoint).fault
                == AuditVerification.Fault(
                    number: checkpoint.number, reason: "it is another one than the checkpoint was made of"))
    }

    @Test func aCutTailLeavesAKeyThatDoesNotFollow() throws {
        try scene.store.write { (rows) throws(KeyStoreError) in
            let entries = try rows.all(AuditEntryRow.self)
            for entry in entries[6...] { try rows.delete(entry) }
            try rows.edit(try AuditLog.row(rows)) {
                $0[3] = .integer(6)
                $0[4] = .blob(entries[6].record.previous)
            }
        }
        #expect(try scene.store.verifyAudit().holds)
        #expect(
            try scene.store.verifyAudit(key: key).fault
                == AuditVerification.Fault(
                    number: 7, reason: "the log's key is not the one that follows: entries were cut off here"))
    }

    @Test func anOlderLogPutBackIsFoundWithACheckpointAlone() throws {
        let database = try RawDatabase(scene.database)
        try database.run("CREATE TEMP TABLE kept AS SELECT * FROM audit_log")
        let kept = try count()
        _ = try sealer.ratchet(chat, now: scene.now)
        let checkpoint = try scene.store.auditCheckpoint(now: scene.now)
        try database.run(
            """
            DELETE FROM audit_entry WHERE id > '\(AuditEntryRow.identifier(kept))';
            DELETE FROM audit_log; INSERT INTO audit_log SELECT * FROM kept
            """)
        let unseen = try scene.store.verifyAudit(key: key)
        #expect(unseen.holds && unseen.entries == kept && unseen.unchecked == [.tail])
        #expect(
            try scene.store.verifyAudit(key: key, checkpoint: checkpoint).fault
                == AuditVerification.Fault(
                    number: kept + 1,
                    reason: "it is not there, and the checkpoint says that there are \(checkpoint.number)"))
    }

    // MARK: Keys and checkpoints

    @Test func aKeyOrACheckpointOfAnotherLogIsSaidToBe() throws {
        let other = try Scene(.sealer)
        let checkpoint = try other.store.auditCheckpoint(now: other.now)
        let otherKey = try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: other.auditKeyFile))))
        #expect(try scene.store.verifyAudit(key: otherKey).fault?.number == 1)
        #expect(failure { _ = try scene.store.verifyAudit(checkpoint: checkpoint) }?.kind == .badInput)
        #expect(try other.store.verifyAudit(key: otherKey, checkpoint: checkpoint).holds)
    }

    @Test func aCheckpointThatSaysMoreThanWasSignedIsRefused() throws {
        let text = String(decoding: try scene.store.auditCheckpoint(now: scene.now).json(), as: UTF8.self)
        let checkpoint = try AuditCheckpoint(parsing: Array(text.utf8))
        #expect(String(decoding: checkpoint.json(), as: UTF8.self) == text)
        #expect(try scene.store.verifyAudit(checkpoint: checkpoint).holds)
        let forged = try AuditCheckpoint(
            parsing: Array(text.replacing("\"number\":\(checkpoint.number)", with: "\"number\":1").utf8))
        #expect(failure { _ = try scene.store.verifyAudit(checkpoint: forged) }?.kind == .badInput)
        let wrong = [
            text.replacing("checkpoint/1", with: "checkpoint/2"), text.replacing("\"at\":", with: "\"when\":"),
            text.replacing("}", with: ",\"more\":1}"), text.replacing("\"hash\":\"", with: "\"hash\":\"AAAA"), "[]", "",
        ]
        for text in wrong {
            #expect(failure { _ = try AuditCheckpoint(parsing: Array(text.utf8)) }?.kind == .badInput, "\(text)")
        }
    }

    @Test func aKeyFileIsReadStrictly() throws {
        let text = String(decoding: key.json(), as: UTF8.self)
        let again = try AuditKey(parsing: Array(text.utf8))
        #expect(again.log == key.log && again.startKey == key.startKey && again.checkpointKey == key.checkpointKey)
        let wrong = [
            text.replacing("audit-key/1", with: "audit-key/2"), text.replacing("}", with: ",\"more\":1}"),
            text.replacing("\"log\":\"", with: "\"log\":\"00"), text.replacing("\"start_key\":\"", with: "\"start_key\":\"AAAA"),
            text.replacing("checkpoint_key", with: "checkpoint"), "{}", "",
        ]
        for text in wrong { #expect(failure { _ = try AuditKey(parsing: Array(text.utf8)) }?.kind == .badInput) }
        #expect("\(key)" == "AuditKey of \(key.log)")
    }

    @Test func aLogCannotBeReadWithoutTheStoresKeys() throws {
        let scene = try Scene(.device, passphrase: "1234")
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { _ = try scene.store.verifyAudit() }?.kind == .locked)
        #expect(failure { _ = try scene.store.auditEntries(limit: 1) }?.kind == .locked)
        #expect(failure { _ = try scene.store.auditCheckpoint(now: scene.now) }?.kind == .locked)
        #expect(try scene.store.status(now: scene.now).audit == nil)
    }

    // MARK: Reading

    @Test func entriesAreReadInParts() throws {
        let all = try scene.store.auditEntries(limit: 100)
        #expect(all.map(\.number) == Array(1...9))
        #expect(try scene.store.auditEntries(after: 3, limit: 2) == Array(all[3..<5]))
        #expect(try scene.store.auditEntries(after: 9, limit: 2).isEmpty)
        #expect(try scene.store.auditEntries(limit: 0).isEmpty)
        let ofChat = all.filter { $0.subject == "conversation chat-1" }
        #expect(ofChat.count == 7)
        #expect(try scene.store.auditEntries(of: chat, limit: 100) == ofChat)
        #expect(try scene.store.auditEntries(after: 5, of: chat, limit: 1) == [ofChat.first { $0.number > 5 }])
        #expect(failure { _ = try scene.store.auditEntries(after: -1, limit: 1) }?.kind == .badInput)
    }

    @Test func entriesBeforeOneThatDoesNotHoldAreHandedOut() throws {
        let all = try scene.store.auditEntries(limit: 100)
        let ofChat = all.filter { $0.subject == "conversation chat-1" && $0.number < 5 }
        try RawDatabase(scene.database).run("UPDATE audit_entry SET reason = 'another' WHERE id = '0000000000000005'")
        let page = try scene.store.auditPage(limit: 100)
        #expect(page.entries == Array(all[..<4]))
        #expect(page.fault?.kind == .damaged && page.fault?.subject == "row audit_entry/0000000000000005")
        #expect(try scene.store.auditPage(of: chat, limit: 100).entries == ofChat)
        #expect(try scene.store.auditPage(limit: 4).fault == nil)
        let next = try scene.store.auditPage(after: 4, limit: 100)
        #expect(next.entries.isEmpty && next.fault == page.fault)
        #expect(try scene.store.auditPage(after: 5, limit: 100).entries == Array(all[5...]))
        #expect(failure { _ = try scene.store.auditEntries(limit: 100) } == page.fault)
    }

    @Test func noKeyIsInAnEntry() throws {
        let legacy = try ConversationIdentifier("legacy")
        _ = try sealer.provision(legacy, algorithm: .split, members: [], until: scene.now + 60, now: scene.now)
        var keys = [try sealer.splitExport(legacy, now: scene.now).key, key.startKey]
        if case .conversation(let secret) = try sealer.sealingState(chat, now: scene.now).secret {
            keys.append(secret.rawKey)
        }
        #expect(keys.count == 3)
        let rows = try scene.store.read { (rows) throws(KeyStoreError) in
            try rows.storage.rows(.auditEntry, [], limit: nil)
        }
        for key in keys {
            let bytes = key.withUnsafeBytes { Array($0) }
            let texts = [KeyStore.Hexadecimal.encode(bytes), Base64URL.encode(bytes)]
            for value in rows.flatMap(\.values) {
                switch value {
                case .text(let text): #expect(texts.allSatisfy { !text.contains($0) })
                case .blob(let blob): #expect(blob != bytes)
                default: break
                }
            }
        }
    }
}
