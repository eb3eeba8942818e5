import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Glibc
import Testing

@testable import KeyStore

@Suite struct RotationTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone: Phone

    init() throws {
        (scene, sealer, chat, phone) = try Scene.withConversation()
    }

    private func kid() throws -> KeyIdentifier { try sealer.sealingState(chat, now: scene.now).kid }

    private func grant(_ count: Int64) throws {
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            var active = try life.conversation(chat).requireActive()
            active.record.leased = count
            try life.rows.update(&active)
        }
    }

    @Test func leasesOfFourProcessesAreDisjoint() async throws {
        let kid = try kid()
        let directory = scene.directory
        // Each process leases many times; what they were given is written to a file of its own.
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [directory = directory as String, kid = kid.description as String, number = number as Int] in
                        let sealer = try SealerStore(try Store.open(directory: directory))
                        var lines = ""
                        for index in 0..<50 {
                            let lease = try sealer.leaseSeals(
                                try #require(KeyIdentifier(kid)), of: try ConversationIdentifier("chat-1"),
                                count: 1 + index % 3, now: 1_800_000_000)
                            lines += "\(lease.lowerBound) \(lease.upperBound)\n"
                        }
                        let file = open("\(directory)/../leases-\(number)", O_WRONLY | O_CREAT, 0o600)
                        let bytes = Array(lines.utf8)
                        #expect(write(file, bytes, bytes.count) == bytes.count)
                    }
                }
            }
        }
        var numbers: [Int64] = []
        for number in 0..<4 {
            let text = try String(contentsOfFile: "\(scene.root)/leases-\(number)", encoding: .utf8)
            for line in text.split(separator: "\n") {
                let bounds = line.split(separator: " ").compactMap { Int64($0) }
                numbers += Array(bounds[0]..<bounds[1])
            }
        }
        // 50 leases of 1, 2, 3, 1, 2, 3 … seals by each.
        #expect(numbers.count == 396)
        #expect(numbers.sorted() == Array(0..<Int64(numbers.count)))
        #expect(try sealer.conversation(chat).handles[0].leasedCount == Int64(numbers.count))
    }

    @Test func at2To31TheNextEpochComesByItself() throws {
        let first = try kid()
        try grant((1 << 31) - 1)
        let last = try sealer.leaseSeals(first, of: chat, count: 1, now: scene.now)
        #expect(last == Int64(0x7FFF_FFFF)..<Int64(0x8000_0000))
        #expect(failure { _ = try sealer.leaseSeals(first, of: chat, count: 1, now: scene.now) }?.kind == .conflict)
        let second = try kid()
        #expect(second == first.at(epoch: 1))
        #expect(try sealer.leaseSeals(second, of: chat, count: 3, now: scene.now) == 0..<3)
    }

    @Test func past2To32NothingIsLeasedWhereNoEpochIsLeft() throws {
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            let conversation = try life.conversation(chat)
            var active = try conversation.requireActive()
            let secret = try life.rows.secret(of: active)
            active.record.epoch = KeyIdentifier.lastEpoch
            try life.rows.update(&active, secret: secret)
        }
        try grant((1 << 32) - 10)
        let last = try kid()
        #expect(last.epoch == 65_535)
        #expect(failure { _ = try sealer.leaseSeals(last, of: chat, count: 11, now: scene.now) }?.kind == .refused)
        #expect(try sealer.leaseSeals(last, of: chat, count: 10, now: scene.now).upperBound == Int64(0x1_0000_0000))
        #expect(failure { _ = try sealer.leaseSeals(last, of: chat, count: 1, now: scene.now) }?.kind == .refused)
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .refused)
    }

    @Test(arguments: [0, -1, (1 << 32) + 1, Int.max]) func aLeaseOfAbsurdSizeIsRefused(count: Int) throws {
        let kid = try kid()
        #expect(failure { _ = try sealer.leaseSeals(kid, of: chat, count: count, now: scene.now) }?.kind == .badInput)
    }

    @Test func anEpochOfAgeIsLeftBeforeTheNextSeal() throws {
        let first = try kid()
        scene.now += 30 * 86_400 - 1
        #expect(try kid() == first)
        scene.now += 1
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(state.kid == first.at(epoch: 1))
        #expect(state.renewAt == scene.now + 30 * 86_400)
        let young = failure {
            _ = try sealer.provision(try .of("c"), algorithm: .dir, members: [], maximumAge: 86_399, now: scene.now)
        }
        #expect(young?.kind == .badInput)
    }

    @Test(arguments: [Int64.min, -1, .max, 1 << 53]) func whatIsNoTimeIsAnErrorAndNoCrash(time: Int64) throws {
        #expect(failure { _ = try sealer.sealingState(chat, now: time) }?.kind == .badInput)
        #expect(failure { _ = try sealer.ratchet(chat, now: time) }?.kind == .badInput)
    }

    @Test func aClockSetBackALittleRotatesNothing() throws {
        let first = try kid()
        scene.now -= 600
        #expect(try kid() == first)
    }

    /// Provisioned or ratcheted while the clock was years ahead, it would not rotate for years.
    @Test func anEpochFromTheFutureIsTooOldAndThenHealed() throws {
        let first = try kid()
        scene.now += 20 * 365 * 86_400
        let ahead = try sealer.ratchet(chat, now: scene.now)
        #expect(ahead == first.at(epoch: 1))
        scene.now = Scene.start + 60
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(state.kid == first.at(epoch: 2) && state.renewAt == scene.now + 30 * 86_400)
        #expect(try kid() == state.kid)
        #expect(try sealer.leaseSeals(state.kid, of: chat, count: 1, now: scene.now) == 0..<1)
        scene.now -= 601
        let again = failure { _ = try sealer.leaseSeals(state.kid, of: chat, count: 1, now: scene.now) }
        #expect(again?.kind == .conflict)
    }

    @Test func suspendedRefusesToSealUntilResumed() throws {
        let first = try kid()
        _ = try sealer.suspend(chat, now: scene.now)
        let error = failure { _ = try kid() }
        #expect(error?.kind == .refused && error?.reason == "no active secret: it is suspended")
        #expect(failure { _ = try sealer.leaseSeals(first, of: chat, count: 1, now: scene.now) }?.kind == .refused)
        #expect(failure { _ = try sealer.suspend(chat, now: scene.now) }?.kind == .refused)
        _ = try sealer.resume(chat, now: scene.now)
        #expect(try kid() == first)
        #expect(failure { _ = try sealer.resume(chat, now: scene.now) }?.kind == .refused)
    }

    @Test func revokedIsCompromisedAndReplacedAtOnce() throws {
        let first = try kid()
        let record = try sealer.revoke(chat, now: scene.now)
        #expect(record.handles.first { $0.handle == first.handle }?.state == .compromised)
        let second = try kid()
        #expect(second.handle != first.handle && record.active == second)
        #expect(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).map(\.kid) == [second])
    }

    @Test func theSealerKeepsNothingOfWhatItNoLongerSealsUnder() throws {
        _ = try sealer.revoke(chat, now: scene.now)
        _ = try sealer.rekey(chat, now: scene.now)
        _ = try sealer.promote(chat, force: true, now: scene.now)
        let states = try RawDatabase(scene.database).texts(
            "SELECT state || ' ' || (value IS NOT NULL) FROM conversation_secret ORDER BY created, state")
        #expect(states.sorted() == ["active 1", "compromised 0", "deactivated 0"])
    }

    @Test func aRemovalThatWasInterruptedRefusesToSealUntilRepeated() throws {
        let other = Phone()
        _ = try sealer.enroll(try other.document(), now: scene.now)
        _ = try sealer.addMember(other.thumbprint, to: chat, now: scene.now)
        let before = sealer.generation.read()
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in try life.beginRemoval(of: other.thumbprint) }
        #expect(sealer.generation.read() != before)
        let error = failure { _ = try kid() }
        #expect(error?.kind == .refused && error?.reason == "device \(other.thumbprint) is being removed")
        #expect(failure { _ = try sealer.pendingBundles(for: other.thumbprint, now: scene.now) }?.kind == .refused)
        #expect(try sealer.device(matching: other.thumbprint.string).isBeingRemoved)
        try sealer.removeDevice(other.thumbprint, now: scene.now)
        #expect(try sealer.sealingState(chat, now: scene.now).members.map(\.thumbprint) == [phone.thumbprint])
        #expect(failure { try sealer.removeDevice(other.thumbprint, now: scene.now) }?.kind == .notFound)
    }

    @Test func aReplacementTakesOverTheMemberships() throws {
        let successor = Phone()
        let result = try sealer.enroll(try successor.document("new"), replaces: phone.thumbprint, now: scene.now)
        #expect(result.isNew && result.device.conversationCount == 1)
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(state.members.map(\.thumbprint) == [successor.thumbprint])
        #expect(try sealer.pendingBundles(for: successor.thumbprint, now: scene.now).map(\.kid) == [state.kid])
        #expect(try sealer.devices().map(\.name) == ["new"])
        #expect(
            try sealer.enroll(try successor.document("new"), replaces: phone.thumbprint, now: scene.now).isNew == false)
    }

    @Test func enrollingIsIdempotentAndNeverReplacesASecret() throws {
        #expect(try sealer.enroll(try phone.document(), now: scene.now).isNew == false)
        let forged = try EnrollmentDocument(
            publicKey: phone.key.publicKey, enrollmentSecret: SymmetricKey(size: .bits256), name: "x")
        #expect(failure { _ = try sealer.enroll(forged, now: scene.now) }?.kind == .conflict)
        let start = String(phone.thumbprint.string.prefix(6))
        #expect(try sealer.device(matching: start).thumbprint == phone.thumbprint)
        #expect(failure { _ = try sealer.device(matching: "-none-") }?.kind == .notFound)
        _ = try sealer.enroll(try Phone().document(), now: scene.now)
        for start in ["", "a b", "ä", String(repeating: "a", count: 44)] {
            let error = failure { _ = try sealer.device(matching: start) }
            #expect(error == KeyStoreError(.notFound, "device", "it is no start of a thumbprint"))
        }
        // Of 65 devices two begin with the same of 64 letters.
        for _ in 0..<63 { _ = try sealer.enroll(try Phone().document(), now: scene.now) }
        let starts = try sealer.devices().map { String($0.thumbprint.string.prefix(1)) }
        let twice = try #require(starts.first { start in starts.count { $0 == start } > 1 })
        #expect(failure { _ = try sealer.device(matching: twice) }?.kind == .badInput)
    }

    @Test func aDeviceGivenTwiceIsBadInputAndLeavesNothing() throws {
        let other = try ConversationIdentifier("chat-2")
        let twice = [phone.thumbprint, phone.thumbprint]
        let error = failure { _ = try sealer.provision(other, algorithm: .dir, members: twice, now: scene.now) }
        #expect(error == KeyStoreError(.badInput, "device \(phone.thumbprint)", "given twice"))
        #expect(try sealer.conversations().map(\.conversation) == [chat])
    }

    @Test func splitHasAKeyOfItsOwnAndAnEnd() throws {
        let old = try ConversationIdentifier("old")
        let until = scene.now + 100
        #expect(
            failure { _ = try sealer.provision(old, algorithm: .split, members: [], now: scene.now) }?.kind == .badInput
        )
        let record = try sealer.provision(old, algorithm: .split, members: [], until: until, now: scene.now)
        #expect(record.handles[0].splitName?.hasPrefix("split:") == true)
        #expect(failure { _ = try sealer.addMember(phone.thumbprint, to: old, now: scene.now) }?.kind == .badInput)
        #expect(failure { _ = try sealer.ratchet(old, now: scene.now) }?.kind == .refused)
        let first = try sealer.splitExport(old, now: scene.now)
        guard case .split(let key) = try sealer.sealingState(old, now: scene.now).secret else {
            throw KeyStoreError(.damaged, "", "")
        }
        #expect(key == first.key && first.until == until)
        _ = try sealer.rekey(old, now: scene.now)
        #expect(try sealer.splitExport(old, now: scene.now).key != key)
        guard case .split(let same) = try sealer.sealingState(old, now: scene.now).secret else {
            throw KeyStoreError(.damaged, "", "")
        }
        #expect(same == key)
        _ = try sealer.promote(old, now: scene.now)
        _ = try sealer.sealingState(old, now: until)
        let sealing = failure { _ = try sealer.sealingState(old, now: until + 1) }
        #expect(sealing?.kind == .refused)
        #expect(failure { _ = try sealer.rekey(old, now: until + 1) } == sealing)
        #expect(failure { _ = try sealer.splitExport(chat, now: scene.now) }?.kind == .badInput)
    }
}
