import EnvelopeFormat
import Testing

@testable import KeyStore

/// Rotating all conversations: in batches, taken up after an interruption, shared by two.
@Suite struct RotationRunTests {
    private static let count = 300
    let scene: Scene
    let sealer: SealerStore

    init() throws {
        scene = try Scene(.sealer)
        sealer = try SealerStore(scene.store)
        try Self.provision(Self.count, on: sealer, now: scene.now)
    }

    private static func name(_ number: Int) throws -> ConversationIdentifier {
        try ConversationIdentifier("chat-\(1_000 + number)")
    }

    private static func provision(_ count: Int, on sealer: SealerStore, now: Int64) throws {
        var plans = try (0..<count).map { Provisioning(conversation: try name($0), algorithm: .dir, members: []) }
        while !plans.isEmpty {
            let made = try sealer.provision(plans, now: now)
            for result in made { _ = try result.get() }
            plans.removeFirst(made.count)
        }
    }

    /// Makes a phone a member of each: what has nobody to acknowledge it is not rekeyed.
    private func letPhoneIn() throws -> DeviceThumbprint {
        let phone = Phone()
        _ = try sealer.enroll(try phone.document(), now: scene.now)
        for number in 0..<Self.count { _ = try sealer.addMember(phone.thumbprint, to: try Self.name(number), now: scene.now) }
        return phone.thumbprint
    }

    /// Runs to its end, and returns what was rotated in order.
    private func finish(_ run: RotationRun, on sealer: SealerStore) throws -> [RotationBatch.Rotated] {
        var rotated: [RotationBatch.Rotated] = []
        while true {
            let batch = try sealer.rotateSome(run, now: scene.now)
            rotated += batch.rotated
            #expect(batch.failures.isEmpty)
            if batch.isLast { return rotated }
            #expect(batch.count > 0)
        }
    }

    private func epochs() throws -> [Int: Int] {
        let epochs = try sealer.conversations(limit: 10_000).compactMap(\.active?.epoch)
        return Dictionary(grouping: epochs, by: { $0 }).mapValues(\.count)
    }

    @Test func whatWasInterruptedGoesOnWhereItWas() throws {
        let run = try sealer.beginRotation(.ratchet, now: scene.now)
        #expect(run.after == nil)
        let first = try sealer.rotateSome(run, now: scene.now, limit: 256)
        #expect(!first.isLast && first.count == first.rotated.count && (1...256).contains(first.count))
        // Another process, after a while.
        scene.now += 3_600
        let other = try SealerStore(try scene.reopened())
        let resumed = try other.beginRotation(.ratchet, now: scene.now)
        #expect(resumed.after == first.rotated.last?.conversation && resumed.started == run.started)
        let rest = try finish(resumed, on: other)
        #expect(first.count + rest.count == Self.count)
        #expect(try epochs() == [1: Self.count])
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM rotation_run") == "0")
        // The interrupted process wakes up, and finds its run complete.
        let late = try sealer.rotateSome(run, now: scene.now)
        #expect(late.isLast && late.count == 0)
        #expect(try sealer.beginRotation(.ratchet, now: scene.now).after == nil)
    }

    @Test func twoAtOnceShareTheWork() throws {
        let other = try SealerStore(try scene.reopened())
        let runs = (try sealer.beginRotation(.ratchet, now: scene.now), try other.beginRotation(.ratchet, now: scene.now))
        let first = try sealer.rotateSome(runs.0, now: scene.now, limit: 256).rotated
        let second = try finish(runs.1, on: other)
        let last = try finish(runs.0, on: sealer)
        #expect(Set((first + second + last).map(\.conversation.string)).count == Self.count && last.isEmpty)
        #expect(try epochs() == [1: Self.count])
    }

    @Test func anotherRunIsAnother() throws {
        let run = try sealer.beginRotation(.ratchet, now: scene.now)
        _ = try sealer.rotateSome(run, now: scene.now, limit: 256)
        #expect(try sealer.beginRotation(.rekey, now: scene.now).after == nil)
        #expect(try sealer.beginRotation(.ratchet, now: scene.now + 86_399).after != nil)
        #expect(try sealer.beginRotation(.ratchet, now: scene.now - 86_399).after != nil)
        #expect(try sealer.beginRotation(.ratchet, olderThan: 5, now: scene.now).after == nil)
        // That one took its place.
        #expect(try sealer.rotateSome(run, now: scene.now).isLast)
        let old = try sealer.beginRotation(.ratchet, now: scene.now)
        _ = try sealer.rotateSome(old, now: scene.now, limit: 256)
        #expect(try sealer.beginRotation(.ratchet, now: scene.now + 86_400).after == nil)
    }

    @Test func aRunThatWaitsOtherwiseIsAnother() throws {
        let run = try sealer.beginRotation(.rekey, promoteAfter: 60, now: scene.now)
        _ = try sealer.rotateSome(run, now: scene.now, limit: 100)
        #expect(try sealer.beginRotation(.rekey, promoteAfter: 60, now: scene.now).after != nil)
        #expect(try sealer.beginRotation(.rekey, promoteAfter: 61, now: scene.now).after == nil)
        #expect(try sealer.rotateSome(run, now: scene.now).isLast)
        let other = try sealer.beginRotation(.rekey, promoteAfter: 61, now: scene.now)
        _ = try sealer.rotateSome(other, now: scene.now, limit: 200)
        #expect(try sealer.beginRotation(.rekey, now: scene.now).after == nil)
    }

    @Test func onlyWhatIsOldEnough() throws {
        scene.now += 100
        _ = try sealer.ratchet(try Self.name(7), now: scene.now)
        let run = try sealer.beginRotation(.ratchet, olderThan: 100, now: scene.now)
        #expect(try finish(run, on: sealer).count == Self.count - 1)
        #expect(try epochs() == [1: Self.count])
    }

    @Test func aRekeyOfAllPassesOverWhatWaits() throws {
        let phone = try letPhoneIn()
        _ = try sealer.removeMember(phone, from: try Self.name(9), now: scene.now)
        _ = try sealer.provision(try Self.name(Self.count), algorithm: .dir, members: [], now: scene.now)
        _ = try sealer.rekey(try Self.name(3), now: scene.now)
        let rotated = try finish(try sealer.beginRotation(.rekey, promoteAfter: 60, now: scene.now), on: sealer)
        #expect(rotated.count == Self.count - 2 && rotated.allSatisfy { $0.waiting != nil && $0.active.epoch == 0 })
        let waiting = try #require(try sealer.conversation(try Self.name(4)).handles.first { $0.state == .preActivation })
        #expect(waiting.promoteAt == scene.now + 60)
        let anew = try finish(try sealer.beginRotation(.rekeyAnew, now: scene.now), on: sealer)
        #expect(anew.count == Self.count - 1)
        let former = Dictionary(uniqueKeysWithValues: rotated.map { ($0.conversation, $0.waiting) })
        #expect(anew.allSatisfy { former[$0.conversation] != .some($0.waiting) })
    }

    @Test func whatIsPassedOverIsCountedByReason() throws {
        let names = try (0..<4).map { try Self.name($0 * 7) }
        let phone = try letPhoneIn()
        _ = try sealer.rekey(names[0], now: scene.now)
        _ = try sealer.suspend(names[1], now: scene.now)
        _ = try sealer.removeMember(phone, from: names[2], now: scene.now)
        _ = try sealer.retire(names[3], force: true, now: scene.now)
        let alarms = try ConversationIdentifier("alarms")
        _ = try sealer.provision(alarms, algorithm: .split, members: [], until: scene.now + 1_000, now: scene.now)
        func passedOver(_ kind: RotationRun.Kind) throws -> [String: RotationBatch.PassedOver.Reason] {
            let run = try sealer.beginRotation(kind, now: scene.now)
            var found: [String: RotationBatch.PassedOver.Reason] = [:]
            while true {
                let batch = try sealer.rotateSome(run, now: scene.now)
                for one in batch.passedOver { found[one.conversation.string] = one.reason }
                if batch.isLast { return found }
            }
        }
        let ended: [String: RotationBatch.PassedOver.Reason] = [
            names[1].string: .suspended, names[2].string: .noMember, names[3].string: .retired,
        ]
        #expect(try passedOver(.ratchet) == ended.merging(["alarms": .split]) { $1 })
        #expect(try passedOver(.rekey) == ended.merging([names[0].string: .waiting]) { $1 })
        #expect(try passedOver(.rekeyAnew) == ended)
    }

    /// One is refused before anything is written, another fails half done: both are reported, and all others rotated.
    @Test(arguments: [0, 5, 256]) func oneThatFailsStopsNoneOfTheOthers(position: Int) throws {
        let phone = Phone()
        _ = try sealer.enroll(try phone.document(), now: scene.now)
        let broken = try Self.name(position)
        let spent = try Self.name(position + 2)
        _ = try sealer.addMember(phone.thumbprint, to: broken, now: scene.now)
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            for (name, epoch) in [(broken, 383), (spent, KeyIdentifier.lastEpoch)] {
                var active = try life.conversation(name).requireActive()
                let secret = try life.rows.secret(of: active)
                active.record.epoch = epoch
                try life.rows.update(&active, secret: secret)
            }
        }
        // Found out when the bundle of the 384th epoch is to be sealed, after the epoch was written.
        try RawDatabase(scene.database).run("UPDATE device SET name = 'another'")
        let run = try sealer.beginRotation(.ratchet, now: scene.now)
        var failures: [RotationBatch.Failure] = []
        var rotated = 0
        for _ in 0..<Self.count {
            let batch = try sealer.rotateSome(run, now: scene.now, limit: 256)
            failures += batch.failures
            rotated += batch.rotated.count
            if batch.isLast { break }
        }
        #expect(failures.map(\.conversation) == [broken, spent])
        #expect(failures.map(\.error.kind) == [.damaged, .refused])
        #expect(rotated == Self.count - 2)
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM rotation_run") == "0")
    }
}
