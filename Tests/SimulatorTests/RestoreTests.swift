import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import Simulator
import Testing

/// A backend, or a phone, that goes on in another place.
@Suite struct RestoreTests {
    let backend: Backend
    let phone: ReceivingPhone
    let now = Backend.start

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("phone", with: backend.store)
    }

    private func provision(_ name: String, _ algorithm: KeyAlgorithm = .dir) throws -> ConversationIdentifier {
        let conversation = try ConversationIdentifier(name)
        _ = try backend.store.provision(
            conversation, algorithm: algorithm, members: [phone.thumbprint], now: now)
        return conversation
    }

    private func seal(_ store: SealerStore, _ name: String) throws -> [UInt8] {
        let request = try SealRequest(parsing: Array(#"{"conversation":"\#(name)","body":"B"}"#.utf8))
        return try PushSealer(store, leasing: .exact).seal(request, now: now)[0].payload
    }

    private func restored(_ name: String, at time: Int64 = Backend.start) throws -> (store: SealerStore, result: RestoredStore) {
        let root = backend.root
        let (store, result) = try Store.restore(
            root + "/backup", secret: .keyFile(path: root + "/backup-key"), directory: root + "/" + name, now: time
        ) { StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: .keyFile(path: root + "/new-key")) }
        return (try SealerStore(store), result)
    }

    private func backUp() throws -> BackupSummary {
        try backend.store.store.backUp(
            to: backend.root + "/backup", secret: .keyFile(path: backend.root + "/backup-key"), now: now)
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func pushesOfTheRestoredBackendOpen(algorithm: KeyAlgorithm) throws {
        let chat = try provision("chat", algorithm)
        try phone.acceptBundles(from: backend.store)
        let before = try seal(backend.store, "chat")
        _ = try backUp()
        // What the backend did after the backup: nobody seals under these epochs again.
        var used: Set<String> = []
        for _ in 0..<63 {
            used.insert(try backend.store.sealingState(chat, now: now).kid.description)
            _ = try backend.store.ratchet(chat, now: now)
        }
        used.insert(try backend.store.sealingState(chat, now: now).kid.description)
        let late = try seal(backend.store, "chat")
        let (store, result) = try restored("again")
        #expect(result.steppedCount == 1 && result.replacedCount == 0 && result.splitCount == 0)
        let kid = try store.sealingState(chat, now: now).kid
        #expect(kid.epoch == 64 && !used.contains(kid.description))
        #expect(try store.conversation(chat).handles[0].leasedCount == 0)
        for payload in [try seal(store, "chat"), before, late] { #expect(phone.open(payload).outcome == .opened) }
        // The life cycle goes on.
        _ = try store.ratchet(chat, now: now)
        _ = try store.rekey(chat, now: now + 1)
        try phone.acceptBundles(from: store, now: now + 1)
        #expect(try store.sealingState(chat, now: now + 1).kid.handle != kid.handle)
        #expect(phone.open(try seal(store, "chat")).outcome == .opened)
        #expect(try store.store.status(verify: true, now: now).verifiedRows ?? 0 > 10)
    }

    @Test func aRekeyInWaitingAndASuspensionComeAlong() throws {
        let (one, two) = (try provision("one"), try provision("two"))
        try phone.acceptBundles(from: backend.store)
        _ = try backend.store.rekey(one, now: now + 1)
        _ = try backend.store.suspend(two, now: now)
        _ = try backUp()
        let (store, result) = try restored("again")
        #expect(result.steppedCount == 3)
        #expect(throws: KeyStoreError.self) { try store.sealingState(two, now: now) }
        _ = try store.resume(two, now: now)
        #expect(phone.open(try seal(store, "two")).outcome == .opened)
        // The bundle that waited is the one of the backup, and its acknowledgement promotes.
        try phone.acceptBundles(from: store, now: now + 1)
        #expect(try store.conversation(one).waiting == nil)
        #expect(try store.sealingState(one, now: now).kid.epoch == 64)
        #expect(phone.open(try seal(store, "one")).outcome == .opened)
    }

    /// Each time 64 epochs further, which the phone follows.
    @Test func aRestoredBackendIsBackedUpAndRestoredAgain() throws {
        let chat = try provision("chat")
        try phone.acceptBundles(from: backend.store)
        _ = try backUp()
        var store = try restored("first").store
        let open = UnlockSecret.keyFile(path: backend.root + "/backup-key")
        for round in 1...2 {
            let path = "\(backend.root)/backup-\(round)"
            _ = try store.store.backUp(to: path, secret: open, now: now)
            let unlock = UnlockSecret.keyFile(path: backend.root + "/new-key")
            let next = try Store.restore(path, secret: open, directory: "\(backend.root)/round-\(round)", now: now) {
                StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: unlock)
            }
            store = try SealerStore(next.store)
        }
        #expect(try store.sealingState(chat, now: now).kid.epoch == 192)
        #expect(phone.open(try seal(store, "chat")).outcome == .opened)
    }

    /// What the lost store issued after the backup, ahead of the clock where there were many in a second, is not issued again:
    /// also to a phone that the backup does not know, also from a second restoration of the same backup.
    @Test func bundleNumbersAreNotUsedTwice() throws {
        _ = try provision("before")
        _ = try backUp()
        let late = try ReceivingPhone("late", with: backend.store)
        for number in 0..<30 { _ = try provision("c\(number)") }
        let conversation = try ConversationIdentifier("for-late")
        _ = try backend.store.provision(conversation, algorithm: .dir, members: [late.thumbprint], now: now)
        var used = try [phone, late].flatMap { try backend.store.pendingBundles(for: $0.thumbprint, now: now) }.map(\.sequence)
        for phone in [phone, late] { try phone.acceptBundles(from: backend.store) }
        for time in [now, now + 1] {
            let store = try restored("at-\(time)", at: time).store
            // What waited in the backup was issued anew: the phone has taken higher numbers since.
            #expect(try store.pendingBundles(for: phone.thumbprint, now: time).map(\.conversation.string) == ["before"])
            try late.change { _ = try store.enroll($0.enrollmentDocument(), now: time) }
            _ = try store.provision(
                .init("after"), algorithm: .dir, members: [phone.thumbprint, late.thumbprint], now: time)
            for phone in [phone, late] {
                let issued = try store.pendingBundles(for: phone.thumbprint, now: time).map(\.sequence)
                #expect(!issued.isEmpty && issued.allSatisfy { number in used.allSatisfy { $0 < number } })
                #expect(issued.allSatisfy { $0 <= 9_007_199_254_740_991 })
                try phone.acceptBundles(from: store, now: time)
            }
            #expect(phone.open(try seal(store, "after"), now: time).outcome == .opened)
            let (summary, backup) = (backend.root + "/summary-\(time)", UnlockSecret.keyFile(path: backend.root + "/backup-key"))
            #expect(try store.store.backUp(to: summary, secret: backup, now: time).rows["sequence"] == 3)
            #expect(try store.store.status(verify: true, now: time).verifiedRows ?? 0 > 0)
            for thumbprint in [phone.thumbprint, late.thumbprint] {
                used.append(try #require(store.device(matching: thumbprint.string).lastSequence))
            }
        }
    }

    /// A lost store whose clock was ahead, and a restoration of a restoration in the same second.
    @Test func aClockThatWasAheadIsLeftBehind() throws {
        _ = try provision("before")
        _ = try backUp()
        let ahead = now + 50 * 365 * 86_400
        _ = try backend.store.provision(.init("ahead"), algorithm: .dir, members: [phone.thumbprint], now: ahead)
        var last = try #require(backend.store.device(matching: phone.thumbprint.string).lastSequence)
        var store = try restored("first").store
        for round in 0..<3 {
            _ = try store.provision(.init("r\(round)"), algorithm: .dir, members: [phone.thumbprint], now: now)
            let next = try #require(store.device(matching: phone.thumbprint.string).lastSequence)
            #expect(next > last)
            last = next
            let path = "\(backend.root)/backup-\(round)"
            let (open, unlock) = (backend.root + "/backup-key", backend.root + "/new-key")
            _ = try store.store.backUp(to: path, secret: .keyFile(path: open), now: now)
            // Used after that backup, and unknown to what is restored of it.
            _ = try store.provision(.init("s\(round)"), algorithm: .dir, members: [phone.thumbprint], now: now)
            last = try #require(store.device(matching: phone.thumbprint.string).lastSequence)
            store = try SealerStore(
                Store.restore(path, secret: .keyFile(path: open), directory: "\(backend.root)/round-\(round)", now: now) {
                    StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: .keyFile(path: unlock))
                }.store)
        }
    }

    /// A phone's migratable epochs come along and open what came before; what is for the device alone does not.
    @Test func aRestoredPhoneOpensWithWhatCameAlong() throws {
        let phones = backend.root + "/phone"
        let keyFile = UnlockSecret.keyFile(path: backend.root + "/phone-key")
        let device = try DeviceStore(
            try Store.create(
                directory: phones, configuration: StoreConfiguration(role: .device, unlock: keyFile), now: now))
        defer { try? device.store.lock(restart: true, now: now) }
        let thumbprint = try backend.store.enroll(
            try device.makeIdentity(name: "old", now: now), now: now
        ).device.thumbprint
        for (name, accessible) in [("both", AccessibilityClass.afterFirstUnlock), ("mine", .standard)] {
            _ = try backend.store.provision(
                ConversationIdentifier(name), algorithm: .dir, members: [thumbprint], accessible: accessible, now: now)
        }
        let simulated = SimulatedDevice(device)
        for bundle in try backend.store.pendingBundles(for: thumbprint, now: now) {
            #expect(try simulated.accept(Array(bundle.bundle.utf8), now: now).outcome == .installed)
        }
        let seen = try seal(backend.store, "both")
        #expect(simulated.open(seen, now: now, remembers: true).outcome == .opened)
        let unseen = try seal(backend.store, "both")
        let mine = try seal(backend.store, "mine")
        let summary = try device.store.backUp(
            to: backend.root + "/phone-backup", secret: .keyFile(path: backend.root + "/backup-key"), now: now)
        #expect(summary.staysBehindCount == 3 && summary.rows["held_epoch"] == 1 && summary.rows["identity"] == nil)
        let (store, _) = try Store.restore(
            backend.root + "/phone-backup", secret: .keyFile(path: backend.root + "/backup-key"),
            directory: backend.root + "/phone-2", now: now
        ) { StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: keyFile) }
        defer { try? store.lock(restart: true, now: now) }
        let restoredDevice = try DeviceStore(store)
        #expect(try restoredDevice.identityThumbprint() == nil)
        let restored = SimulatedDevice(restoredDevice)
        #expect(restored.open(unseen, now: now, remembers: true).outcome == .opened)
        #expect(restored.open(seen, now: now, remembers: true).outcome == .duplicate)
        #expect(restored.open(mine, now: now, remembers: true).outcome == .unknownKey)
        // The numbers of its bundles are those of another thumbprint, and may be lower than those of the old one were.
        let document = try restoredDevice.makeIdentity(name: "new", now: now)
        let new = try backend.store.enroll(document, replaces: thumbprint, now: now).device.thumbprint
        let old = try device.reading { (held) throws(KeyStoreError) in try held.lastSequence() }
        let bundles = try backend.store.pendingBundles(for: new, now: now)
        #expect(bundles.count == 2 && bundles[0].sequence < old)
        for bundle in bundles {
            #expect(try restored.accept(Array(bundle.bundle.utf8), now: now).outcome == .installed)
        }
        #expect(restored.open(try seal(backend.store, "mine"), now: now, remembers: true).outcome == .opened)
    }
}
