import EnvelopeFormat
import Testing

@testable import KeyStore

/// Every operation of a sealer store on a secret in every state: what the table of moves allows works, and everything else
/// is refused by name and changes nothing.
@Suite struct SealerStatesTests {
    /// An operation that works on one secret of a conversation.
    enum Operation: String, CaseIterable, Sendable {
        case promote, suspend, resume, retire, revoke, destroy
        // These move no state, and need an active secret.
        case ratchet, rekey, lease

        /// Where it takes the secret; nil for one that leaves it where it is.
        var target: KeyState? {
            switch self {
            case .promote, .resume: .active
            case .suspend: .suspended
            case .retire: .deactivated
            case .revoke: .compromised
            case .destroy: .destroyed
            case .ratchet, .rekey, .lease: nil
            }
        }

        /// The states it is meant for; of these it works on those that the table allows.
        var scope: Set<KeyState> {
            switch self {
            case .promote: [.preActivation]
            case .resume: [.suspended]
            case .suspend, .retire, .revoke, .destroy: Set(KeyState.allCases)
            case .ratchet, .rekey, .lease: [.active]
            }
        }

        func works(on state: KeyState) -> Bool {
            scope.contains(state) && (target.map { KeyStateMoves.allow(from: state, to: $0) } ?? true)
        }

        func perform(_ sealer: SealerStore, _ chat: ConversationIdentifier, _ handle: Handle, _ now: Int64) throws {
            switch self {
            case .promote: _ = try sealer.promote(chat, force: true, now: now)
            case .suspend: _ = try sealer.suspend(chat, now: now)
            case .resume: _ = try sealer.resume(chat, now: now)
            case .retire: _ = try sealer.retire(chat, force: true, now: now)
            case .revoke: _ = try sealer.revoke(chat, handle: handle, now: now)
            case .destroy: _ = try sealer.destroy(chat, handle: handle, force: true, now: now)
            case .ratchet: _ = try sealer.ratchet(chat, now: now)
            case .rekey: _ = try sealer.rekey(chat, now: now)
            case .lease:
                _ = try sealer.leaseSeals(try KeyIdentifier(handle: handle, epoch: 0), of: chat, count: 1, now: now)
            }
        }
    }

    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let database: RawDatabase

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
        database = try RawDatabase(scene.database)
    }

    /// The one secret of the conversation that is not destroyed, in that state.
    private func secret(in state: KeyState) throws -> Handle {
        _ = try sealer.retire(chat, force: true, now: scene.now)
        _ = try sealer.destroy(chat, force: true, now: scene.now)
        return try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            var conversation = try life.conversation(chat)
            let secret = try life.makeSecret(in: &conversation)
            for member in conversation.members {
                try life.issueBundle(of: secret, to: member.record.device, in: conversation)
            }
            if [.active, .suspended, .deactivated].contains(state) { try life.activate(secret, in: &conversation) }
            if state == .suspended { try life.suspend(try conversation.requireActive(), in: &conversation) }
            if state == .deactivated { try life.retire(&conversation, force: true) }
            if state == .compromised { try life.revoke(secret.record.handle, in: &conversation) }
            if state == .destroyed { try life.destroy(secret.record.handle, in: &conversation, force: true) }
            return secret.record.handle
        }
    }

    /// What the log says when it is done.
    private func entries(of operation: Operation, on handle: Handle, from: KeyState) throws -> [String] {
        let act = "\(operation.rawValue) conversation chat-1:"
        let bundle = "bundle-issue conversation chat-1: for device \(try #require(try sealer.devices().first).thumbprint)"
        let begun = "key-state conversation chat-1: \(KeyState.preActivation.rawValue) -> \(KeyState.active.rawValue)"
        // What takes the place of a suspended secret is suspended, too.
        let suspended = "key-state conversation chat-1: \(KeyState.active.rawValue) -> \(KeyState.suspended.rawValue)"
        let move = operation.target.map { "key-state conversation chat-1: \(from.rawValue) -> \($0.rawValue)" }
        switch operation {
        case .promote: return ["\(act) forced: 1 have not acknowledged", move ?? ""]
        case .suspend, .resume: return ["\(act) ", move ?? ""]
        case .retire, .destroy: return ["\(act) forced", move ?? ""]
        case .revoke:
            let isInUse = from == .active || from == .suspended
            return ["\(act) secret \(handle)", move ?? ""] + (isInUse ? [begun, bundle] : [])
                + (from == .suspended ? [suspended] : [])
        case .ratchet: return ["\(act) "]
        case .rekey: return ["\(act) ", bundle]
        case .lease: return ["\(act) 1 seals from 0"]
        }
    }

    private func state(of handle: Handle) throws -> KeyState? {
        try sealer.conversation(chat).handles.first { $0.handle == handle }?.state
    }

    @Test(arguments: Operation.allCases, KeyState.allCases)
    func anOperationWorksAsTheTableSays(operation: Operation, from: KeyState) throws {
        let handle = try secret(in: from)
        #expect(try state(of: handle) == from)
        guard operation.works(on: from) else {
            var error: KeyStoreError?
            let added = try scene.addedAlone { error = failure { try operation.perform(sealer, chat, handle, scene.now) } }
            // Of a seal that is refused nothing is written down.
            #expect(added == (operation == .lease ? [] : ["refused \(operation.rawValue) conversation chat-1"]))
            if operation != .lease { #expect(try scene.entries().last?.reason == error?.reason) }
            #expect(error?.kind == .refused && error?.reason.isEmpty == false)
            #expect([chat.string, handle.string].contains { error?.subject.hasSuffix($0) == true }, "\(error?.subject ?? "")")
            if [.revoke, .destroy].contains(operation), let target = operation.target {
                #expect(error?.reason == "a key that is \(from.rawValue) cannot become \(target.rawValue)")
            }
            return
        }
        let before = try scene.dump()
        let added = try scene.addedEntries { try operation.perform(sealer, chat, handle, scene.now) }
        #expect(try state(of: handle) == operation.target ?? from)
        #expect(try scene.dump() != before)
        #expect(added.allSatisfy { $0.result == .done && $0.at == scene.now })
        #expect(
            added.map { entry in
                // The numbers of bundles go by the clock.
                let reason = entry.reason.map { $0.drop { !$0.isWhitespace }.dropFirst().drop { $0.isNumber }.dropFirst() }
                return "\(entry.operation.rawValue) \(entry.subject): "
                    + (entry.operation == .bundleIssue ? String(reason ?? "") : entry.reason ?? "")
            }
                == (try entries(of: operation, on: handle, from: from)))
        let moves = added.filter { $0.operation == .keyState && $0.reason?.hasPrefix(from.rawValue) == true }
        if operation.target != nil { #expect(moves.map(\.kid?.handle) == [handle]) }
        _ = try scene.store.status(verify: true, now: scene.now)
    }

    /// No move of the table is without an operation that makes it.
    @Test func theOperationsMakeEveryMoveOfTheTable() {
        for (from, targets) in KeyStateMoves.table {
            for target in targets {
                let makes = Operation.allCases.filter { $0.target == target && $0.works(on: from) }
                #expect(!makes.isEmpty, "\(from.rawValue) to \(target.rawValue)")
            }
        }
    }

    /// What has ended leaves no key behind and no bundle that would still deliver it.
    @Test(arguments: [KeyState.compromised, .destroyed]) func whatIsGivenUpIsNowhere(state: KeyState) throws {
        let handle = try secret(in: state)
        let secrets = "SELECT count(*) FROM conversation_secret WHERE id = '\(handle)' AND value IS NOT NULL"
        let bundles = "SELECT count(*) FROM bundle WHERE handle = '\(handle)' AND content IS NOT NULL"
        #expect(try database.text(secrets) == "0" && database.text(bundles) == "0")
    }
}
