import EnvelopeFormat
import Foundation
import KeyStore
import SealTestSupport
import Sealer
import Simulator
import Testing

/// Two conversations of two phones, which are rotated while pushes are on their way. Nothing in it depends on a clock
/// but ``now``.
final class RotationScene {
    struct Push {
        let conversation: ConversationIdentifier
        let kid: KeyIdentifier
        let text: String
        /// Whom it is for with `HPKE-7`.
        let device: DeviceThumbprint?
        let payload: [UInt8]
    }

    let backend: Backend
    let phone: ReceivingPhone
    let other: ReceivingPhone
    /// Becomes a member in the course of it.
    let joining: ReceivingPhone
    let chats: [ConversationIdentifier]
    var now = Backend.start
    private let sealer: PushSealer

    init(_ algorithm: KeyAlgorithm) throws {
        backend = try Backend()
        phone = try ReceivingPhone("phone", with: backend.store)
        other = try ReceivingPhone("other", with: backend.store)
        joining = try ReceivingPhone("joining", with: backend.store)
        chats = [try ConversationIdentifier("chat-1"), try ConversationIdentifier("chat-2")]
        sealer = try backend.sealer(leasing: .doubling)
        for chat in chats {
            _ = try backend.store.provision(
                chat, algorithm: algorithm, members: [phone.thumbprint, other.thumbprint], now: now)
        }
        for phone in [phone, other] { try phone.acceptBundles(from: backend.store, now: now) }
    }

    /// A push in each conversation, to each of its members.
    func seal(_ text: String) throws -> [Push] {
        var pushes: [Push] = []
        for chat in chats {
            let request = try SealRequest(parsing: Array(#"{"conversation":"\#(chat)","body":"\#(text)"}"#.utf8))
            for push in try sealer.seal(request, now: now) {
                pushes.append(
                    Push(conversation: chat, kid: push.kid, text: text, device: push.device, payload: push.payload))
            }
        }
        return pushes
    }

    func expectRefusal(_ reason: String) throws {
        for chat in chats {
            let request = try SealRequest(parsing: Array(#"{"conversation":"\#(chat)","body":"B"}"#.utf8))
            let error = #expect(throws: SealingError.self) { try sealer.seal(request, now: now) }
            #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
        }
    }

    /// Those of the pushes that are for that phone.
    func arriving(_ pushes: [Push], at phone: ReceivingPhone) -> [Push] {
        pushes.filter { $0.device == nil || $0.device == phone.thumbprint }
    }

    /// Gives a phone what waits for it, once, in that order.
    func deliver(to phone: ReceivingPhone, _ order: DeliveryOrder) throws {
        let bundles = try backend.store.pendingBundles(for: phone.thumbprint, now: now)
        var installed: [PendingBundle] = []
        for bundle in order == .outOfOrder ? bundles.reversed() : bundles {
            let result = try phone.accept(bundle, now: now)
            if result.outcome == .installed || result.already { installed.append(bundle) }
            guard order == .twice else { continue }
            let again = try phone.accept(bundle, now: now)
            #expect(again.outcome == .replayed && again.already)
        }
        guard order != .acknowledgementLost else { return }
        for bundle in installed {
            for _ in 0..<(order == .twice ? 2 : 1) {
                try backend.store.acknowledge(device: phone.thumbprint, sequence: bundle.sequence, now: now)
            }
        }
    }

    /// One more round, after which nothing waits.
    func deliverTheRest(to phone: ReceivingPhone) throws {
        try phone.acceptBundles(from: backend.store, now: now)
        #expect(try backend.store.pendingBundles(for: phone.thumbprint, now: now).isEmpty)
    }
}
