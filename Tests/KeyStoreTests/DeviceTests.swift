import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

@Suite struct DeviceTests {
    let scene: Scene
    let device: DeviceStore
    let chat: ConversationIdentifier
    let handle: Handle

    init() throws {
        scene = try Scene(.device, passphrase: "pass")
        device = try DeviceStore(scene.store)
        chat = try .of("chat-1")
        handle = try Handle(bytes: [UInt8](repeating: 7, count: 12))
    }

    private func epoch(_ number: Int, _ accessible: AccessibilityClass = .standard) throws -> HeldEpochRecord {
        HeldEpochRecord(
            conversation: chat, algorithm: .dir, kid: try KeyIdentifier(handle: handle, epoch: number),
            accessible: accessible, installOrder: 1)
    }

    private func secret() throws -> ConversationSecret { try ConversationSecret(SymmetricKey(size: .bits256)) }

    private func held() throws -> [HeldEpochRecord] {
        try device.reading { (device) throws(KeyStoreError) in try device.heldEpochs(handle: handle) }
    }

    private func change(_ body: (DeviceTransaction) throws(KeyStoreError) -> Void) throws {
        try device.transaction(now: scene.now, body)
    }

    @Test func theIdentityIsMadeOnceAndSurvivesEveryFailedRead() throws {
        #expect(try device.identityThumbprint() == nil)
        #expect(failure { _ = try device.enrollmentDocument() }?.kind == .notFound)
        guard case .absent = device.deviceKey() else { return #expect(Bool(false), "not absent") }
        let made = try device.makeIdentity(name: "phone", now: scene.now)
        #expect(failure { _ = try device.makeIdentity(name: "phone", now: scene.now) }?.kind == .alreadyExists)
        #expect(try device.enrollmentDocument().json() == made.json())
        #expect(device.deviceKey().value?.publicKey.x963Representation == made.publicKey.x963Representation)
        #expect(device.enrollmentSecret().value == made.enrollmentSecret)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { _ = try device.enrollmentDocument() }?.kind == .locked)
        #expect(failure { _ = try device.makeIdentity(name: "phone", now: scene.now) }?.kind == .alreadyExists)
        guard case .locked = device.deviceKey(), case .locked = device.enrollmentSecret() else {
            return #expect(Bool(false), "not locked")
        }
        #expect(try device.identityThumbprint() == made.thumbprint)
        try scene.store.unlock(.passphrase(.of("pass")), now: scene.now)
        #expect(try device.enrollmentDocument().json() == made.json())
    }

    @Test func aLockedStoreMakesNoIdentity() throws {
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { _ = try device.makeIdentity(name: "phone", now: scene.now) }?.kind == .locked)
        #expect(try device.identityThumbprint() == nil)
    }

    @Test func theSameEpochAgainIsSuccessAndOtherBytesAreAConflict() throws {
        let (record, secret) = (try epoch(0), try secret())
        try change { (device) throws(KeyStoreError) in try device.add(record, secret: secret) }
        let before = scene.store.generation.read()
        try change { (device) throws(KeyStoreError) in try device.add(record, secret: secret) }
        #expect(scene.store.generation.read() == before)
        let other = try self.secret()
        let error = failure { try change { (device) throws(KeyStoreError) in try device.add(record, secret: other) } }
        #expect(error?.kind == .conflict)
        #expect(try held().count == 1 && held()[0].secret.value?.isSame(as: secret) == true)
    }

    @Test func aLockTakesTheWhenUnlockedEpochsAlone() throws {
        let (always, unlocked) = (try epoch(0), try epoch(1, .whenUnlocked))
        let secrets = [try secret(), try secret()]
        try change { (device) throws(KeyStoreError) in
            try device.add(always, secret: secrets[0])
            try device.add(unlocked, secret: secrets[1])
        }
        try scene.store.lock(restart: false, now: scene.now)
        var records = try held()
        #expect(records.map(\.kid.epoch) == [0, 1])
        #expect(records[0].secret.value != nil)
        guard case .locked = records[1].secret else { return #expect(Bool(false), "not locked") }
        let another = try epoch(2, .whenUnlocked)
        let error = failure {
            try change { (device) throws(KeyStoreError) in try device.add(another, secret: secrets[0]) }
        }
        #expect(error?.kind == .locked)
        // Times and states change while the bytes cannot be read.
        try change { (device) throws(KeyStoreError) in
            try device.setOpenUntil(99, of: unlocked.kid)
            try device.setState(.deactivated, of: unlocked.kid)
        }
        try scene.store.lock(restart: true, now: scene.now)
        records = try held()
        #expect(records.map(\.openUntil) == [nil, 99] && records[1].state == .deactivated)
        guard case .locked = records[0].secret else { return #expect(Bool(false), "not locked") }
        try scene.store.unlock(.passphrase(.of("pass")), now: scene.now)
        #expect(try held()[1].secret.value?.isSame(as: secrets[1]) == true)
    }

    @Test func statesMoveAsTheTableSaysAndErasingKeepsTheName() throws {
        let (record, secret) = (try epoch(0), try secret())
        try change { (device) throws(KeyStoreError) in
            try device.add(record, secret: secret)
            try device.setState(.compromised, of: record.kid)
        }
        let back = failure {
            try change { (device) throws(KeyStoreError) in try device.setState(.active, of: record.kid) }
        }
        #expect(back?.kind == .refused)
        try change { (device) throws(KeyStoreError) in try device.eraseSecret(of: record.kid) }
        guard case .absent = try held()[0].secret else { return #expect(Bool(false), "not absent") }
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM held_epoch WHERE value IS NOT NULL") == "0")
        try change { (device) throws(KeyStoreError) in try device.remove(record.kid) }
        #expect(try held().isEmpty)
        let unknown = failure {
            try change { (device) throws(KeyStoreError) in try device.setOpenUntil(1, of: record.kid) }
        }
        #expect(unknown?.kind == .notFound)
    }

    @Test func whatFailsInATransactionChangesNothing() throws {
        let (record, secret) = (try epoch(0), try secret())
        let error = failure {
            try change { (device) throws(KeyStoreError) in
                try device.add(record, secret: secret)
                try device.setLastSequence(5)
                try device.setLastSequence(5)
            }
        }
        #expect(error?.kind == .refused)
        #expect(try held().isEmpty)
        #expect(try device.reading { (device) throws(KeyStoreError) in try device.lastSequence() } == 0)
    }

    @Test func bundlesAndOrdersAreRemembered() throws {
        let secret = try secret()
        var record = try epoch(0)
        try change { (device) throws(KeyStoreError) in
            let order = try device.nextInstallOrder()
            record = HeldEpochRecord(
                conversation: record.conversation, algorithm: .dir, kid: record.kid, accessible: .standard,
                installOrder: order)
            try device.add(record, secret: secret)
            try device.setLastSequence(7)
            try device.rememberInstalled(bundleDigest: [1, 2], sequence: 7)
            try device.rememberInstalled(bundleDigest: [1, 2], sequence: 7)
        }
        try device.reading { (device) throws(KeyStoreError) in
            let known = try device.isInstalled(bundleDigest: [1, 2])
            let unknown = try device.isInstalled(bundleDigest: [2, 1])
            let (order, sequence) = (try device.nextInstallOrder(), try device.lastSequence())
            #expect(known && !unknown && order == record.installOrder + 1 && sequence == 7)
        }
        #expect(
            try device.reading { (device) throws(KeyStoreError) in
                try device.heldEpochs(conversation: chat, algorithm: .hpke7).count
            } == 0)
    }

    @Test func ofManyOpeningAtOnceOneIsNew() async throws {
        let message = [UInt8](repeating: 3, count: 16)
        let (chat, now) = (chat, scene.now)
        let stores = try (0..<4).map { _ in try DeviceStore(try scene.reopened()) }
        let answers = await withTaskGroup(of: ReplayAnswer.self) { group in
            for store in stores {
                group.addTask { store.remember(chat, messageIdentifier: message, until: now + 60, now: now) }
            }
            return await group.reduce(into: [ReplayAnswer]()) { $0.append($1) }
        }
        #expect(answers.filter { $0 == .new }.count == 1 && answers.filter { $0 == .seen }.count == 3)
    }

    @Test func aPrunedRecordIsAFloorAndNeverNew() throws {
        func remember(_ byte: UInt8, until: Int64, now: Int64) -> ReplayAnswer {
            device.remember(chat, messageIdentifier: [UInt8](repeating: byte, count: 16), until: until, now: now)
        }
        #expect(remember(1, until: 100, now: 10) == .new)
        #expect(remember(2, until: 200, now: 10) == .new)
        #expect(remember(1, until: 100, now: 99) == .seen)
        #expect(remember(3, until: 300, now: 100) == .new)
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM replay") == "2")
        // The clock was set back: what was pruned cannot be told from what never came.
        #expect(remember(1, until: 100, now: 20) == .unchecked)
        #expect(remember(4, until: 99, now: 20) == .unchecked)
        #expect(remember(4, until: 99, now: 20) == .seen)
        #expect(remember(5, until: 101, now: 20) == .new)
        #expect(
            device.peekReplay(chat, messageIdentifier: [UInt8](repeating: 6, count: 16), until: 101, now: 20) == .new)
        #expect(remember(6, until: 101, now: 20) == .new)
        #expect(
            device.peekReplay(chat, messageIdentifier: [UInt8](repeating: 6, count: 16), until: 101, now: 20) == .seen)
    }

    @Test func aRecordThatCannotBeReadIsUnchecked() throws {
        let message = [UInt8](repeating: 3, count: 16)
        #expect(device.remember(chat, messageIdentifier: [1], until: 100, now: 1) == .unchecked)
        #expect(device.remember(chat, messageIdentifier: message, until: 100, now: 1) == .new)
        try RawDatabase(scene.database).edit("UPDATE replay SET until = until + 1") {
            #expect(device.remember(chat, messageIdentifier: message, until: 100, now: 1) == .unchecked)
            #expect(
                device.remember(chat, messageIdentifier: [UInt8](repeating: 4, count: 16), until: 900, now: 500)
                    == .unchecked)
        }
        try scene.store.lock(restart: true, now: scene.now)
        #expect(device.remember(chat, messageIdentifier: message, until: 100, now: 1) == .unchecked)
        #expect(device.peekReplay(chat, messageIdentifier: message, until: 100, now: 1) == .unchecked)
    }

    @Test func ofThreeSplitKeysTheOldestGoes() throws {
        let keys = (0..<3).map { _ in SymmetricKey(size: .bits256) }
        for key in keys { try device.splitAdd(key, conversation: chat, until: 500, now: scene.now) }
        try device.splitAdd(keys[2], conversation: chat, until: 500, now: scene.now)
        let held = try device.reading { (device) throws(KeyStoreError) in try device.splitKeys() }
        #expect(held.compactMap(\.key.value) == [keys[1], keys[2]])
        let other = try ConversationIdentifier("chat-2")
        #expect(failure { try device.splitAdd(keys[2], conversation: other, until: 500, now: 1) }?.kind == .conflict)
        let later = failure { try device.splitAdd(keys[2], conversation: chat, until: 501, now: 1) }
        #expect(later?.kind == .conflict && later?.reason == "it is held with another end date")
        let (record, secret) = (try epoch(0), try secret())
        try change { (device) throws(KeyStoreError) in try device.add(record, secret: secret) }
        #expect(
            failure { try device.splitAdd(secret.rawKey, conversation: chat, until: 500, now: 1) }?.kind == .conflict)
        #expect(
            failure { try device.splitAdd(SymmetricKey(size: .bits128), conversation: chat, until: 5, now: 1) }?.kind
                == .badInput)
    }

    /// What was revoked or destroyed stays so, however many others come: the table of moves has no way back.
    @Test(arguments: [KeyState.compromised, .destroyed]) func aSplitKeyThatEndedIsNotForgotten(state: KeyState) throws {
        let keys = (0..<6).map { _ in SymmetricKey(size: .bits256) }
        let name = SplitName.make(of: keys[0])
        try device.splitAdd(keys[0], conversation: chat, until: 500, now: scene.now)
        try device.revoke(chat, now: scene.now)
        if state == .destroyed { try device.destroy(chat, now: scene.now) }
        for key in keys[1...] {
            try device.splitAdd(key, conversation: chat, until: 500, now: scene.now)
            let again = failure { try device.splitAdd(keys[0], conversation: chat, until: 500, now: scene.now) }
            #expect(again?.kind == .conflict && again?.subject == name)
        }
        let held = try device.reading { (device) throws(KeyStoreError) in try device.splitKeys() }
        #expect(held.map(\.state) == [state, .active, .active] && held[0].name == name)
        #expect(held.dropFirst().compactMap(\.key.value) == [keys[4], keys[5]])
        #expect(try scene.store.status(verify: true, now: scene.now).counts.splitKeys == 3)
    }

    @Test func splitIsOffUntilItIsAllowed() throws {
        func isAllowed() throws -> Bool {
            try device.reading { (device) throws(KeyStoreError) in try device.isSplitAllowed() }
        }
        #expect(try isAllowed() == false)
        try device.splitAllow(now: scene.now)
        #expect(try isAllowed() == true)
        try device.splitDeny(now: scene.now)
        #expect(try isAllowed() == false)
    }
}
