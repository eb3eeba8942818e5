import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// Every operation of a device store on what it holds in every state.
@Suite struct DeviceStatesTests {
    enum Operation: String, CaseIterable, Sendable {
        case suspend, resume, revoke, destroy

        var target: KeyState {
            switch self {
            case .suspend: .suspended
            case .resume: .active
            case .revoke: .compromised
            case .destroy: .destroyed
            }
        }

        func perform(_ device: DeviceStore, _ chat: ConversationIdentifier, _ now: Int64) throws {
            switch self {
            case .suspend: try device.suspend(chat, now: now)
            case .resume: try device.resume(chat, now: now)
            case .revoke: try device.revoke(chat, now: now)
            case .destroy: try device.destroy(chat, now: now)
            }
        }
    }

    let scene: Scene
    let device: DeviceStore
    let chat: ConversationIdentifier

    init() throws {
        scene = try Scene(.device)
        device = try DeviceStore(scene.store)
        chat = try .of("chat-1")
    }

    /// Two epochs of one handle.
    private func hold(
        _ state: KeyState, _ number: UInt8 = 1, of conversation: ConversationIdentifier? = nil
    ) throws -> Handle {
        let handle = try Handle(bytes: [UInt8](repeating: number, count: 12))
        try device.transaction(now: scene.now) { (device) throws(KeyStoreError) in
            for epoch in 0..<2 {
                guard let kid = try? KeyIdentifier(handle: handle, epoch: epoch),
                    let secret = try? ConversationSecret(SymmetricKey(size: .bits256))
                else { throw KeyStoreError(.badInput, "test", "no key") }
                try device.add(
                    HeldEpochRecord(
                        conversation: conversation ?? chat, algorithm: .dir, kid: kid, state: state,
                        accessible: .standard, installOrder: Int64(number)), secret: secret)
                if state == .destroyed { try device.eraseSecret(of: kid) }
            }
        }
        return handle
    }

    private func epochs(_ handle: Handle) throws -> [HeldEpochRecord] {
        try device.reading { (device) throws(KeyStoreError) in try device.heldEpochs(handle: handle) }
    }

    @Test(arguments: Operation.allCases, KeyState.allCases)
    func anOperationWorksAsTheTableSays(operation: Operation, from: KeyState) throws {
        let handle = try hold(from)
        guard KeyStateMoves.allow(from: from, to: operation.target) else {
            let refusal = try scene.expectRefusal("\(operation.rawValue) conversation chat-1") {
                try operation.perform(device, chat, scene.now)
            }
            #expect(refusal?.kind == .refused && refusal?.subject == "conversation chat-1")
            #expect(refusal?.reason == "a key that is \(from.rawValue) cannot become \(operation.target.rawValue)")
            return
        }
        let added = try scene.addedEntries { try operation.perform(device, chat, scene.now) }
        let move = "key-state \(from.rawValue) -> \(operation.target.rawValue)"
        #expect(added.map { "\($0.operation.rawValue) \($0.reason ?? "")" } == ["\(operation.rawValue) ", move, move])
        #expect(added.allSatisfy { $0.result == .done && $0.subject == "conversation chat-1" && $0.at == scene.now })
        #expect(try added.dropFirst().map(\.kid) == (0..<2).map { try KeyIdentifier(handle: handle, epoch: $0) })
        let epochs = try epochs(handle)
        #expect(epochs.map(\.state) == [operation.target, operation.target])
        #expect(epochs.allSatisfy { ($0.secret.value == nil) == (operation.target == .destroyed) })
        _ = try scene.store.status(verify: true, now: scene.now)
    }

    /// Of several secrets those move that may; other conversations stay as they are.
    @Test func whatMayMoveDoesAndNothingElse() throws {
        let old = try hold(.deactivated, 1)
        let current = try hold(.active, 2)
        let other = try hold(.active, 3, of: try .of("chat-2"))
        try device.suspend(chat, now: scene.now)
        #expect(try [old, current, other].map { try epochs($0)[0].state } == [.deactivated, .suspended, .active])
        try device.destroy(chat, now: scene.now)
        #expect(try [old, current, other].map { try epochs($0)[0].state } == [.destroyed, .suspended, .active])
        try device.revoke(chat, now: scene.now)
        #expect(try [old, current, other].map { try epochs($0)[0].state } == [.destroyed, .compromised, .active])
    }

    @Test func oneSecretAloneAndWhatIsNotThere() throws {
        let old = try hold(.active, 1)
        let current = try hold(.active, 2)
        try device.revoke(chat, handle: old, now: scene.now)
        #expect(try [old, current].map { try epochs($0)[0].state } == [.compromised, .active])
        let absent = try Handle(bytes: [UInt8](repeating: 9, count: 12))
        #expect(failure { try device.revoke(chat, handle: absent, now: scene.now) }?.kind == .notFound)
        #expect(failure { try device.suspend(try .of("chat-9"), now: scene.now) }?.kind == .notFound)
    }

    @Test func aSplitKeyMovesWithItsConversationAndDoesNotComeBack() throws {
        let key = SymmetricKey(size: .bits256)
        let until = scene.now + 86_400
        try device.splitAdd(key, conversation: chat, until: until, now: scene.now)
        try device.revoke(chat, now: scene.now)
        try device.destroy(chat, now: scene.now)
        let held = try device.reading { (device) throws(KeyStoreError) in try device.splitKeys() }
        #expect(held.map(\.state) == [.destroyed] && held[0].key.value == nil)
        let again = failure { try device.splitAdd(key, conversation: chat, until: until, now: scene.now) }
        #expect(again?.kind == .conflict && again?.reason == "it was destroyed here")
    }
}
