import EnvelopeFormat
import Testing

@testable import KeyStore

@Suite struct RemovalTests {
    /// A device of a few conversations is removed in one transaction: no sealer ever finds a conversation refused.
    @Test func aSmallRemovalIsOneChange() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let phones = [Phone(), Phone()]
        for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        let chats = try (0..<3).map { try ConversationIdentifier("chat-\($0)") }
        for chat in chats {
            _ = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        }
        let before = sealer.generation.read()
        try sealer.removeDevice(phones[0].thumbprint, now: scene.now)
        // One more change than needed at most: the row of the device goes when nothing is left of it.
        let states = try chats.map { try sealer.sealingState($0, now: scene.now) }
        #expect(states.allSatisfy { $0.members.map(\.thumbprint) == [phones[1].thumbprint] })
        #expect(sealer.generation.read().completed - before.completed == 2)
        #expect(try sealer.devices().map(\.thumbprint) == [phones[1].thumbprint])
    }
}
