import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials
import Glibc
import Testing

@testable import KeyStore

/// What the audit log says of an operation, and that it is said in the operation's own transaction.
@Suite struct AuditTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone: Phone

    init() throws {
        (scene, sealer, chat, phone) = try Scene.withConversation()
    }

    @Test func itBeginsWithTheStore() throws {
        let entries = try scene.entries()
        let first = try #require(entries.first)
        #expect(first.operation == .founding && first.subject == "store \(scene.store.identifier)")
        #expect(first.at == Scene.start && first.result == .done && first.reason == "sealer store")
        #expect(entries.map(\.number) == Array(1...Int64(entries.count)))
    }

    @Test func anEntrySaysWhoDidWhatToWhichKeyAndWhen() throws {
        scene.now += 17
        let kid = try sealer.ratchet(chat, now: scene.now)
        let entry = try #require(try scene.entries().last)
        #expect(entry.operation == .ratchet && entry.subject == "conversation chat-1" && entry.kid == kid)
        #expect(entry.at == scene.now && entry.result == .done && entry.reason == nil)
        #expect(entry.caller == Caller(user: Int64(geteuid()), process: Int64(getpid())))
    }

    @Test func theLastOnesAreFoundFromTheEnd() throws {
        let other = try ConversationIdentifier.of("chat-2")
        _ = try sealer.provision(other, algorithm: .dir, members: [], now: scene.now)
        for _ in 0..<3 {
            _ = try sealer.ratchet(chat, now: scene.now)
            _ = try sealer.ratchet(other, now: scene.now)
        }
        let store = scene.store
        let all = try scene.entries()
        for conversation in [nil, chat, other] {
            let entries = conversation.map { name in all.filter { $0.subject == "conversation \(name)" } } ?? all
            for count in 0...entries.count + 2 {
                let number = try store.auditNumber(beforeLast: Int64(count), of: conversation)
                let last = try store.auditEntries(after: number, of: conversation, limit: max(1, count))
                #expect(last.map(\.number) == entries.suffix(count).map(\.number))
            }
        }
        #expect(try store.auditNumber(beforeLast: .max) == 0)
        // No entry but those that are shown is gone through.
        let plan = try RawDatabase(scene.database).plan(
            of: "SELECT * FROM audit_entry WHERE subject = 'conversation chat-1' AND id < '9' ORDER BY id DESC LIMIT 2")
        #expect(plan.count == 1 && plan[0].contains("USING INDEX audit_entry_by_subject"), "\(plan)")
    }

    @Test func eachMoveOfAKeyIsAnEntry() throws {
        let old = try #require(try sealer.conversation(chat).active)
        _ = try sealer.suspend(chat, now: scene.now)
        _ = try sealer.resume(chat, now: scene.now)
        let new = try #require(try sealer.revoke(chat, now: scene.now).active)
        let moves = try scene.entries().filter { $0.operation == .keyState }
        #expect(
            moves.map { "\($0.kid?.description ?? "") \($0.reason ?? "")" } == [
                "\(old) pre-activation -> active", "\(old) active -> suspended", "\(old) suspended -> active",
                "\(old) active -> compromised", "\(new) pre-activation -> active",
            ])
    }

    @Test func whatIsRefusedIsWrittenAndChangesNothingElse() throws {
        let other = try ConversationIdentifier("chat-2")
        let acts: [(String, () throws -> Void)] = [
            ("ratchet conversation chat-2", { [self] in _ = try sealer.ratchet(other, now: scene.now) }),
            ("promote conversation chat-1", { [self] in _ = try sealer.promote(chat, now: scene.now) }),
            ("resume conversation chat-1", { [self] in _ = try sealer.resume(chat, now: scene.now) }),
            ("split-export conversation chat-1", { [self] in _ = try sealer.splitExport(chat, now: scene.now) }),
            (
                "provision conversation chat-1",
                { [self] in _ = try sealer.provision(chat, algorithm: .dir, members: [], now: scene.now) }
            ),
            (
                "provision conversation chat-2",
                { [self] in
                    _ = try sealer.provision(other, algorithm: .dir, members: [], maximumAge: 1, now: scene.now)
                }
            ),
            (
                "member-add conversation chat-1",
                { [self] in _ = try sealer.addMember(phone.thumbprint, to: chat, now: scene.now) }
            ),
            (
                "device-remove device \(Phone.absent)",
                { [self] in try sealer.removeDevice(Phone.absent, now: scene.now) }
            ),
            (
                "bundle-acknowledge device \(Phone.absent)",
                { [self] in try sealer.acknowledge(device: Phone.absent, sequence: 1, now: scene.now) }
            ),
            (
                "bundle-issue device \(Phone.absent)",
                { [self] in _ = try sealer.pendingBundles(for: Phone.absent, now: scene.now) }
            ),
        ]
        for (name, act) in acts { try scene.expectRefusal(name, act) }
    }

    @Test func aLockedSealerStoreSaysWhatItRefused() throws {
        try scene.store.lock(restart: false, now: scene.now)
        let added = try scene.added {
            #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .locked)
        }
        #expect(added == ["refused ratchet conversation chat-1"])
    }

    @Test func sealingToAMistypedConversationLeavesNoRow() throws {
        let added = try scene.added {
            let error = failure { _ = try sealer.sealingState(try ConversationIdentifier("caht-1"), now: scene.now) }
            #expect(error?.kind == .notFound)
        }
        #expect(added.isEmpty)
    }

    @Test func printingABundleAgainIsNoNews() throws {
        let added = try scene.added { _ = try sealer.pendingBundles(for: phone.thumbprint, now: scene.now) }
        #expect(added.isEmpty)
    }

    @Test func aRotationThatIsDueSaysSo() throws {
        scene.now += Cryptoperiod.standardMaximumAge
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        let entry = try #require(try scene.entries().last)
        #expect(entry.operation == .ratchet && entry.kid == kid && entry.reason == "its time has come")
    }

    // MARK: Leases

    @Test func leasesAndTheirEndsAreEntries() throws {
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        let before = try scene.entries().count
        _ = try sealer.leaseSeals(kid, of: chat, count: 2, isUsedAtOnce: true, now: scene.now)
        _ = try sealer.leaseSeals(kid, of: chat, count: 64, now: scene.now)
        _ = try sealer.leaseSeals(kid, of: chat, count: 128, now: scene.now)
        try sealer.endLeases([LeaseUse(kid: kid, first: 2, used: 60)], now: scene.now)
        _ = try sealer.ratchet(chat, now: scene.now)
        // Of a lease that ended with its epoch nobody is heard any more.
        try sealer.endLeases([LeaseUse(kid: kid, first: 66, used: 1)], now: scene.now)
        let entries = try scene.entries().dropFirst(before)
        #expect(
            entries.map { "\($0.operation.rawValue): \($0.reason ?? "")" } == [
                "lease: 2 seals from 0", "lease-end: 2 seals from 0: all used at once", "lease: 64 seals from 2",
                "lease: 128 seals from 66", "lease-end: 64 seals from 2: 60 used", "ratchet: ",
                "lease-end: 128 seals from 66: unreported",
            ])
        #expect(entries.dropLast(2).allSatisfy { $0.kid == kid })
        let next = try sealer.sealingState(chat, now: scene.now).kid
        let more = failure {
            _ = try sealer.leaseSeals(next, of: chat, count: 5, now: scene.now)
            try sealer.endLeases([LeaseUse(kid: next, first: 0, used: 6)], now: scene.now)
        }
        #expect(more?.kind == .badInput)
    }

    @Test func aLeaseMakesNoOtherProcessForgetItsKeys() throws {
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        let before = scene.store.generation.read()
        _ = try sealer.leaseSeals(kid, of: chat, count: 5, now: scene.now)
        #expect(scene.store.generation.read() == before)
        #expect(failure { _ = try sealer.resume(chat, now: scene.now) }?.kind == .refused)
        #expect(scene.store.generation.read() == before)
    }

    // MARK: Keys and texts

    private func wrappedKey() throws -> [UInt8] {
        try scene.store.read { (rows) throws(KeyStoreError) in try AuditLog.row(rows).row.secret?.value ?? [] }
    }

    @Test func aFormerKeyLeavesTheFilesWithTheNextErasure() throws {
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        let first = try wrappedKey()
        _ = try sealer.leaseSeals(kid, of: chat, count: 5, now: scene.now)
        let second = try wrappedKey()
        #expect(first != second)
        _ = try sealer.ratchet(chat, now: scene.now)
        for key in [first, second] {
            for suffix in ["", "-wal"] {
                let content = try Data(contentsOf: URL(filePath: scene.database + suffix))
                #expect(content.firstRange(of: Data(key)) == nil)
            }
        }
    }

    @Test func aRehearsalLeavesNoEntry() throws {
        let before = try scene.entries().count
        try scene.store.rehearse { (store) in
            let rehearsed = try SealerStore(store)
            _ = try rehearsed.ratchet(chat, now: scene.now)
            #expect(failure { _ = try rehearsed.resume(chat, now: scene.now) }?.kind == .refused)
            let inside = try store.read { (rows) throws(KeyStoreError) in try rows.storage.count(.auditEntry, []) }
            #expect(inside == before + 2)
        }
        #expect(try scene.entries().count == before)
        _ = try sealer.ratchet(chat, now: scene.now)
        #expect(try scene.entries().count == before + 1)
    }

    @Test func longTextsAreCut() {
        let note = AuditNote(.lock, String(repeating: "ä", count: 500), reason: String(repeating: "x", count: 241))
        let row = AuditEntryRow(note, number: 1, at: 0, caller: .current, previous: [])
        #expect(row.subject.utf8.count == AuditNote.longestSubject - 1 && row.subject.hasSuffix("ä…"))
        #expect(row.reason?.utf8.count == AuditNote.longestReason && row.reason?.hasSuffix("x…") == true)
        #expect(AuditNote.bounded("short", 5) == "short")
    }
}
