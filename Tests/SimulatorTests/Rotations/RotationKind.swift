import EnvelopeFormat
import KeyStore

/// A way in which a conversation comes to be sealed under something else, in two steps: what is sealed between them is
/// sealed during the rotation.
enum RotationKind: String, CaseIterable, Sendable {
    case ratchet
    /// A rekey that the last acknowledgement promotes.
    case rekey
    case promoteForced, promoteAfter
    case memberAdded, memberRemoved, deviceRemoved, revoked
    case suspended, retired

    static let promotionDelay: Int64 = 7 * 86_400

    /// The first step.
    func begin(_ chat: ConversationIdentifier, _ scene: RotationScene) throws {
        let (store, now) = (scene.backend.store, scene.now)
        switch self {
        case .ratchet: _ = try store.ratchet(chat, now: now)
        case .rekey, .promoteForced: _ = try store.rekey(chat, now: now)
        case .promoteAfter: _ = try store.rekey(chat, promoteAfter: Self.promotionDelay, now: now)
        case .memberAdded, .memberRemoved, .revoked, .retired: break
        // With its memberships in all conversations, so once only.
        case .deviceRemoved: break
        case .suspended: _ = try store.suspend(chat, now: now)
        }
    }

    /// The second step.
    func complete(_ chat: ConversationIdentifier, _ scene: RotationScene) throws {
        let (store, now) = (scene.backend.store, scene.now)
        switch self {
        case .ratchet: _ = try store.ratchet(chat, now: now)
        case .rekey: break
        case .promoteForced: _ = try store.promote(chat, force: true, now: now)
        case .promoteAfter: scene.now += chat == scene.chats[0] ? Self.promotionDelay : 0
        case .memberAdded: _ = try store.addMember(scene.joining.thumbprint, to: chat, now: now)
        case .memberRemoved: _ = try store.removeMember(scene.other.thumbprint, from: chat, now: now)
        case .deviceRemoved:
            if try store.conversation(chat).members.contains(where: { $0.device == scene.other.thumbprint }) {
                try store.removeDevice(scene.other.thumbprint, now: now)
            }
        case .revoked: _ = try store.revoke(chat, now: now)
        case .suspended: _ = try store.resume(chat, now: now)
        case .retired: _ = try store.retire(chat, force: true, now: now)
        }
    }

    /// Whether something can be sealed between the steps.
    var sealsDuring: Bool { self != .suspended }
    var sealsAfter: Bool { self != .retired }
    /// Whether the other phone is cut off.
    var removesOther: Bool { self == .memberRemoved || self == .deviceRemoved }
    /// Whether what is delivered late is under a handle that the phone has not got.
    var makesHandle: Bool {
        switch self {
        case .rekey, .promoteForced, .promoteAfter, .memberRemoved, .deviceRemoved, .revoked: true
        case .ratchet, .memberAdded, .suspended, .retired: false
        }
    }
}
