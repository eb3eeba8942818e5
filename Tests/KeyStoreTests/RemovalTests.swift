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
        #expect(other?.kind == .conflict && other?.reason == "\(new.thumbprint) is taking its place")
        let goOn = "to have the rest moved there: keyctl device remove \(old.thumbprint)"
        #expect(other?.hint == "\(goOn); or to give that up: keyctl device remove \(new.thumbprint)")
        let chain = failure {
            _ = try sealer.enroll(try third.document(), replaces: new.thumbprint, now: scene.now)
        }
        #expect(chain?.kind == .refused)
        // Its successor is removed, which ends it, and then it is removed itself.
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

    /// 70 conversations of a device, of which 64 have moved to another.
    private func stoppedReplacement() throws -> (Scene, SealerStore, old: Phone, new: Phone, [ConversationIdentifier]) {
        let (scene, sealer, old, chats) = try manyConversations()
        let new = Phone()
        let stopped = failure {
            _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now) { $0 < 64 }
        }
        #expect(stopped == .interrupted)
        return (scene, sealer, old, new, chats)
    }

    private func manyConversations() throws -> (Scene, SealerStore, Phone, [ConversationIdentifier]) {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let old = Phone()
        _ = try sealer.enroll(try old.document(), now: scene.now)
        let chats = try (0..<70).map { try ConversationIdentifier("chat-\($0)") }
        for chat in chats { _ = try sealer.provision(chat, algorithm: .dir, members: [old.thumbprint], now: scene.now) }
        return (scene, sealer, old, chats)
    }

    private func members(_ sealer: SealerStore, _ chats: [ConversationIdentifier]) throws -> [DeviceThumbprint: Int] {
        let members = try chats.flatMap { try sealer.conversation($0).members.map(\.device) }
        return Dictionary(grouping: members) { $0 }.mapValues(\.count)
    }

    @Test func theRemovalOfASuccessorEndsTheReplacement() throws {
        let (scene, sealer, old, new, chats) = try stoppedReplacement()
        let added = try scene.addedEntries { try sealer.removeDevice(new.thumbprint, now: scene.now) }
        let ended = added.filter { $0.operation == .deviceRemove && $0.subject == "device \(old.thumbprint)" }
        #expect(ended.map(\.reason) == ["no longer replaced by \(new.thumbprint)"])
        #expect(try members(sealer, chats) == [old.thumbprint: 6])
        let left = try sealer.devices()
        #expect(left.map(\.thumbprint) == [old.thumbprint] && left[0].conversationCount == 6 && !left[0].isBeingRemoved)
        // It is given what waited for it, and what comes.
        #expect(try sealer.pendingBundles(for: old.thumbprint, now: scene.now).count == 6)
        let own = try #require(try chats.first { try !sealer.conversation($0).members.isEmpty })
        #expect(try sealer.sealingState(own, now: scene.now).members.map(\.thumbprint) == [old.thumbprint])
        _ = try sealer.rekey(own, now: scene.now)
        #expect(try sealer.pendingBundles(for: old.thumbprint, now: scene.now).count == 7)
        _ = try sealer.addMember(old.thumbprint, to: try #require(chats.first { $0 != own }), now: scene.now)
        _ = try scene.store.status(verify: true, now: scene.now)
        try sealer.removeDevice(old.thumbprint, now: scene.now)
        #expect(try members(sealer, chats).isEmpty && sealer.devices().isEmpty)
    }

    /// With the first transaction of that removal, wherever it is stopped after that.
    @Test func aSuccessorsRemovalThatIsStoppedLetsAnotherTakeThePlace() throws {
        let (scene, sealer, old, new, chats) = try stoppedReplacement()
        #expect(failure { try sealer.removeDevice(new.thumbprint, now: scene.now) { $0 < 32 } } == .interrupted)
        #expect(try members(sealer, chats) == [old.thumbprint: 6, new.thumbprint: 32])
        #expect(try sealer.device(matching: new.thumbprint.string).isBeingRemoved)
        #expect(try !sealer.device(matching: old.thumbprint.string).isBeingRemoved)
        let again = failure { _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now) }
        #expect(again?.kind == .refused && again?.reason == "it is being removed")
        let third = Phone()
        _ = try sealer.enroll(try third.document(), replaces: old.thumbprint, now: scene.now)
        #expect(try members(sealer, chats) == [third.thumbprint: 6, new.thumbprint: 32])
        try sealer.removeDevice(new.thumbprint, now: scene.now)
        #expect(try members(sealer, chats) == [third.thumbprint: 6])
        #expect(try sealer.devices().map(\.thumbprint) == [third.thumbprint])
    }

    /// One process moves the memberships while another removes what they go to.
    @Test(arguments: [false, true]) func whoMovesThemDropsNoneWhenTheSuccessorIsRemoved(isRemoval: Bool) throws {
        let (scene, sealer, old, chats) = try manyConversations()
        let other = try SealerStore(try Store.open(directory: scene.directory))
        let new = Phone()
        if isRemoval {
            let stopped = failure {
                _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now) { $0 < 32 }
            }
            #expect(stopped == .interrupted)
        }
        var removals = 0
        let remove: (Int) -> Bool = { done in
            guard done == 32 else { return true }
            removals += 1
            #expect(throws: Never.self) { try other.removeDevice(new.thumbprint, now: scene.now) }
            return true
        }
        let stopped = failure {
            if isRemoval {
                try sealer.removeDevice(old.thumbprint, now: scene.now, goesOn: remove)
            } else {
                _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now, goesOn: remove)
            }
        }
        #expect(stopped?.kind == .conflict && stopped?.subject == "device \(old.thumbprint)" && removals == 1)
        #expect(try members(sealer, chats) == [old.thumbprint: isRemoval ? 6 : 38])
        #expect(try sealer.devices().map(\.isBeingRemoved) == [false])
    }

    /// Its enrollment secret was gone before anything took its place.
    @Test func aRemovalThatHadBegunBeforeStaysOne() throws {
        let (scene, sealer, old, chats) = try manyConversations()
        #expect(failure { try sealer.removeDevice(old.thumbprint, now: scene.now) { $0 < 32 } } == .interrupted)
        let (new, third) = (Phone(), Phone())
        let stopped = failure {
            _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now) { $0 < 32 }
        }
        #expect(stopped == .interrupted)
        try sealer.removeDevice(new.thumbprint, now: scene.now)
        #expect(try members(sealer, chats) == [old.thumbprint: 6])
        #expect(try sealer.devices().map(\.isBeingRemoved) == [true])
        _ = try sealer.enroll(try third.document(), replaces: old.thumbprint, now: scene.now)
        #expect(try members(sealer, chats) == [third.thumbprint: 6])
    }

    /// As a version left it that did not end replacements.
    @Test func aSuccessorThatIsGoneKeepsNobodyFromThePlace() throws {
        let (scene, sealer, old, chats) = try manyConversations()
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            try life.beginRemoval(of: old.thumbprint)
            try life.rows.insert(ReplacementRow(replaced: old.thumbprint, successor: Phone.absent))
        }
        let new = Phone()
        _ = try sealer.enroll(try new.document(), replaces: old.thumbprint, now: scene.now)
        #expect(try members(sealer, chats) == [new.thumbprint: 70])
    }
}
