import EnvelopeFormat
import KeyStore
import SealTestSupport
import Sealer
import Simulator
import Testing

/// A phone that was away, or is locked when its bundles come.
@Suite struct AbsenceTests {
    let backend: Backend
    let phone: ReceivingPhone

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("away", with: backend.store)
    }

    private func provision(_ name: String, _ accessible: AccessibilityClass = .standard) throws -> ConversationIdentifier {
        let conversation = try ConversationIdentifier(name)
        _ = try backend.store.provision(
            conversation, algorithm: .dir, members: [phone.thumbprint], accessible: accessible, now: Backend.start)
        return conversation
    }

    /// More ratchets than a device steps: the bundle that the 384th issued brings it near enough to every push.
    @Test func whatWasSealedDuring515RatchetsOpensAfterOneRoundOfBundles() throws {
        let conversation = try provision("chat")
        try phone.acceptBundles(from: backend.store)
        let sealer = try backend.sealer()
        var payloads: [(epoch: Int, payload: [UInt8])] = []
        for epoch in 1...515 {
            #expect(try backend.store.ratchet(conversation, now: Backend.start).epoch == epoch)
            guard [1, 383, 384, 400, 511, 512, 513, 514, 515].contains(epoch) else { continue }
            let request = try SealRequest(parsing: Array(#"{"conversation":"chat","body":"B"}"#.utf8))
            payloads.append((epoch, try sealer.seal(request, now: Backend.start)[0].payload))
        }
        #expect(phone.open(payloads[8].payload, remembers: false).outcome == .unknownKey)
        try phone.acceptBundles(from: backend.store)
        for (epoch, payload) in payloads.shuffled() {
            #expect(phone.open(payload).outcome == .opened, "sealed at epoch \(epoch)")
        }
    }

    /// A class that cannot be written on a locked phone is no fault of the bundle.
    @Test func aBundleOfALockedClassIsKeyLockedAndInstallsAfterUnlocking() throws {
        _ = try provision("private", .whenUnlockedThisDeviceOnly)
        let bundle = try #require(try backend.store.pendingBundles(for: phone.thumbprint, now: Backend.start).first)
        try phone.lock()
        #expect(try phone.accept(bundle).outcome == .keyLocked)
        try phone.unlock()
        #expect(try phone.accept(bundle).outcome == .installed)
        try phone.lock()
        let again = try phone.accept(bundle)
        #expect(again.outcome == .replayed && again.already)
    }

    /// What is wrong with the store is told, and is no verdict on the bundle.
    @Test func troubleWithTheStoreIsThrown() throws {
        _ = try provision("chat")
        let bundle = try #require(try backend.store.pendingBundles(for: phone.thumbprint, now: Backend.start).first)
        let request = try SealRequest(parsing: Array(#"{"conversation":"chat","body":"B"}"#.utf8))
        let payload = try backend.sealer().seal(request, now: Backend.start)[0].payload
        #expect(phone.open(payload).failure == nil)
        try phone.removeStore()
        #expect(throws: KeyStoreError.self) { try phone.accept(bundle) }
        let opening = phone.open(payload)
        #expect(opening.outcome == .storeUnavailable && opening.failure != nil && opening.content == nil)
    }
}
