import CryptoPrimitives
import EnvelopeFormat
import Foundation
import OpenerNSE

/// A device of the tests, and whoever seals to it.
struct Phone {
    static let now: Int64 = 1_700_000_000
    static let day: Int64 = 86_400
    static let placeholder = ShownText(title: "App", body: "New message (ours)")

    let keychain: MemoryKeychain
    let replays = MemoryReplays()
    var allowsSplit = true
    let conversation: ConversationIdentifier
    let handle: Handle
    /// C_0 of ``handle``.
    let secret: ConversationSecret

    init(hasDevice: Bool = true) throws {
        keychain = MemoryKeychain(hasDevice: hasDevice)
        conversation = try ConversationIdentifier("conv-1")
        handle = try Self.handle(1)
        secret = try Self.secret(1)
    }

    static func handle(_ number: UInt8) throws -> Handle { try Handle(bytes: [UInt8](repeating: number, count: 12)) }
    static func secret(_ number: UInt8) throws -> ConversationSecret {
        try ConversationSecret(SymmetricKey(data: [UInt8](repeating: number, count: 32)))
    }

    func kid(_ epoch: Int, _ handle: Handle? = nil) throws -> KeyIdentifier {
        try KeyIdentifier(handle: handle ?? self.handle, epoch: epoch)
    }

    /// Puts an epoch of a handle on the device.
    func hold(
        _ epoch: Int = 0, handle number: UInt8 = 1, algorithm: KeyAlgorithm = .dir, state: KeyState = .active,
        openUntil: Int64? = nil,
        accessible: AccessibilityClass = .afterFirstUnlock, conversation: ConversationIdentifier? = nil
    ) throws {
        let conversation = conversation ?? self.conversation
        let held = HeldEpoch(
            conversation: conversation, algorithm: algorithm, kid: try kid(epoch, try Self.handle(number)),
            state: state,
            openUntil: openUntil, accessible: accessible, installation: Int64(number))
        let secret = try Self.secret(number).stepped(epoch, in: conversation)
        keychain.change { $0.epochs.append((held, secret)) }
    }

    func opener() -> Opener<MemoryKeychain> {
        Opener(
            keychain: keychain, replays: replays,
            configuration: OpenerConfiguration(allowsSplit: allowsSplit, placeholder: Self.placeholder))
    }

    func open(_ payload: [UInt8], now: Int64 = now, limit: Int = PayloadLimit.voip) -> Opening {
        opener().open(payload: payload, limit: limit, now: now)
    }

    // MARK: Sealing

    /// A claims set; `message` tells one from another.
    func claims(_ message: UInt8 = 0, issuedAt: Int64 = now, conversation: String? = nil, more: String = "") throws
        -> String
    {
        let identifier = try MessageIdentifier(bytes: [UInt8](repeating: message, count: 16))
        return
            "{\"jti\":\"\(identifier)\",\"iat\":\(issuedAt),\"sub\":\"\(conversation ?? self.conversation.string)\",\"body\":\"inside\"\(more)}"
    }

    /// A sealed payload's text.
    func seal(
        _ plaintext: String, _ algorithm: KeyAlgorithm = .dir, epoch: Int = 0, handle number: UInt8 = 1,
        typ: String = "wax1"
    ) throws -> String {
        let kid = try kid(epoch, try Self.handle(number))
        let secret = try Self.secret(number).stepped(epoch, in: conversation)
        let encoded: [UInt8]
        var parts: [[UInt8]]
        if algorithm == .dir {
            encoded = Array(
                Base64URL.encode(#"{"alg":"dir","enc":"A256GCM","kid":"\#(kid)","typ":"\#(typ)"}"#.utf8).utf8)
            let nonce = AES.GCM.Nonce()
            let box = try AES.GCM.seal(
                Array(plaintext.utf8), using: secret.contentKey(in: conversation), nonce: nonce, authenticating: encoded
            )
            parts = [[], Array(box.nonce), Array(box.ciphertext), Array(box.tag)]
        } else {
            let device = DeviceThumbprint(of: keychain.key.publicKey)
            let name = Base64URL.encode(Array(kid.description.utf8))
            encoded = Array(
                Base64URL.encode(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"\#(name)","typ":"\#(typ)"}"#.utf8).utf8)
            var sender = try HPKE.Sender(
                recipientKey: keychain.key.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
                presharedKey: secret.presharedKey(in: conversation), presharedKeyIdentifier: Data(kid.description.utf8))
            let ciphertext = try sender.seal(Data(plaintext.utf8), authenticating: encoded)
            parts = [Array(sender.encapsulatedKey), [], Array(ciphertext), []]
        }
        return ([String(decoding: encoded, as: UTF8.self)] + parts.map { Base64URL.encode($0) }).joined(separator: ".")
    }

    /// A payload as APNs would hand it over, with words from outside that must not be shown.
    func payload(_ sealed: String, name: String = "encrypted_payload") -> [UInt8] {
        Array(
            (#"{"aps":{"alert":{"title":"outside","body":"outside"},"mutable-content":1},"type":"outside","body":"outside","#
                + #""title":"outside","\#(name)":"\#(sealed)"}"#).utf8)
    }

    func message(
        _ message: UInt8 = 0, _ algorithm: KeyAlgorithm = .dir, epoch: Int = 0, handle: UInt8 = 1, issuedAt: Int64 = now
    ) throws -> [UInt8] {
        payload(try seal(try claims(message, issuedAt: issuedAt), algorithm, epoch: epoch, handle: handle))
    }

    func bundle(
        epoch: Int = 0, handle number: UInt8 = 1, secret: ConversationSecret? = nil, algorithm: KeyAlgorithm = .dir,
        conversation: ConversationIdentifier? = nil, sequence: Int64 = 100, issuedAt: Int64 = now,
        accessible: AccessibilityClass = .afterFirstUnlock, enrollment: SymmetricKey? = nil
    ) throws -> [UInt8] {
        let conversation = conversation ?? self.conversation
        let bundle = try ProvisioningBundle(
            kid: try kid(epoch, try Self.handle(number)),
            secret: try secret ?? Self.secret(number).stepped(epoch, in: conversation), algorithm: algorithm,
            conversation: conversation, sequence: sequence,
            validity: try Validity(issuedAt: issuedAt, expiresAt: issuedAt + 30 * Self.day), accessible: accessible)
        var sender = try HPKE.Sender(
            recipientKey: keychain.key.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
            presharedKey: enrollment ?? keychain.enrollment,
            presharedKeyIdentifier: Data(PresharedKeyIdentifier.enrollment.bytes))
        return Array(try bundle.sealed(to: DeviceThumbprint(of: keychain.key.publicKey), sender: &sender).utf8)
    }

    func accept(_ bundle: [UInt8], now: Int64 = now) -> BundleResult {
        BundleAcceptance(keychain: keychain).accept(bundle, now: now)
    }
}
