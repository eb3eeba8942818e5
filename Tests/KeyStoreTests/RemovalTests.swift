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

    /// A store with a replacement that was interrupted before it came to any of the conversations.
    private func interruptedReplacement() throws -> (Scene, SealerStore, old: Phone, new: Phone, [ConversationIdentifier]) {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let (old, new) = (Phone(), Phone())
        for phone in [old, new] { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        let chats = try (0..<3).map { try ConversationIdentifier("chat-\($0)") }
        for chat in chats {
            _ = try sealer.provision(chat, algorithm: .dir, members: [old.thumbprint], now: scene.now)
        }
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            try life.beginRemoval(of: old.thumbprint, successor: new.thumbprint)
        }
        return (scene, sealer, old, new, chats)
    }

    @Test func removingWhatIsBeingReplacedGoesOnReplacingIt() throws {
        let (scene, sealer, old, new, chats) = try interruptedReplacement()
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        for chat in chats {
            let state = try sealer.sealingState(chat, now: scene.now)
            #expect(state.members.map(\.thumbprint) == [new.thumbprint])
        }
        #expect(try sealer.devices().map(\.thumbprint) == [new.thumbprint])
    }

    @Test func anInterruptedReplacementIsOfOneSuccessor() throws {
        let (scene, sealer, old, new, chats) = try interruptedReplacement()
        let third = Phone()
        let other = failure {
            _ = try sealer.enroll(try third.document(), replaces: old.thumbprint, now: scene.now)
        }
        #expect(other?.kind == .conflict && other?.reason == "it is being replaced by \(new.thumbprint)")
        let chain = failure {
            _ = try sealer.enroll(try third.document(), replaces: new.thumbprint, now: scene.now)
        }
        #expect(chain?.kind == .refused)
        // Its successor is removed, and so is it then.
        try sealer.removeDevice(new.thumbprint, now: scene.now)
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        #expect(try sealer.devices().isEmpty)
        #expect(try chats.allSatisfy { try sealer.conversation($0).members.isEmpty })
    }

    @Test func aReplacementIsDoneOnce() throws {
        let (scene, sealer, old, new, chats) = try interruptedReplacement()
        let start = String(old.thumbprint.string.prefix(12))
        for _ in 0..<2 {
            let found = try sealer.device(matching: start, replacedBy: new.thumbprint, now: scene.now)
            #expect(found.thumbprint == old.thumbprint)
            _ = try sealer.enroll(try new.document(), replaces: found.thumbprint, now: scene.now)
            #expect(try sealer.conversation(chats[0]).members.map(\.device) == [new.thumbprint])
        }
        #expect(try sealer.device(matching: start, replacedBy: new.thumbprint, now: scene.now).isReplaced)
        // Of others it is not known.
        let kind = failure { _ = try sealer.device(matching: start, replacedBy: Phone.absent, now: scene.now) }?.kind
        #expect(kind == .notFound)
    }

    /// What took its place once gets nothing of what it is given after it came back.
    @Test func aReplacedDeviceThatIsEnrolledAgainIsItself() throws {
        let (scene, sealer, old, new, chats) = try interruptedReplacement()
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        _ = try sealer.enroll(try old.document(), now: scene.now)
        let chat = try ConversationIdentifier("later")
        _ = try sealer.provision(chat, algorithm: .dir, members: [old.thumbprint], now: scene.now)
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        #expect(try sealer.conversation(chat).members.isEmpty)
        #expect(try sealer.conversation(chats[0]).members.map(\.device) == [new.thumbprint])
    }

    /// Who is told to stop between two transactions leaves a removal that the next one goes on with.
    @Test func aRemovalThatIsStoppedIsTakenUp() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let (old, new) = (Phone(), Phone())
        _ = try sealer.enroll(try old.document(), now: scene.now)
        let chats = try (0..<70).map { try ConversationIdentifier("chat-\($0)") }
        for chat in chats {
            _ = try sealer.provision(chat, algorithm: .dir, members: [old.thumbprint], now: scene.now)
        }
        var asked: [Int] = []
        let stopped = failure {
            _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now) { done in
                asked.append(done)
                return done < 64
            }
        }
        #expect(stopped == .interrupted)
        #expect(asked == Array(repeating: 0, count: 70) + [32, 64])
        let left = try #require(try sealer.devices().first { $0.thumbprint == old.thumbprint })
        #expect(left.isBeingRemoved && left.conversationCount == 6)
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        #expect(try sealer.devices().map(\.thumbprint) == [new.thumbprint])
        #expect(try chats.allSatisfy { try sealer.conversation($0).members.map(\.device) == [new.thumbprint] })
    }
}
