import CryptoPrimitives
import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import UserNotifications
import os

@testable import OpenerNSEApple

/// An emulated phone with groups of its own, and whoever seals to it.
final class FacePhone: Sendable {
    static let placeholder = ShownText(title: "Chat", body: "New message (ours)")
    let device: EmulatedDevice
    let appGroup: String
    let keychainGroup: String
    /// Another access group of the same process.
    let otherGroup: String
    /// An access group of somebody else.
    let foreignGroup = "TEAMID.\(UUID().uuidString).foreign"
    let subsystem = "test.\(UUID().uuidString)"
    let now = Int64(Date().timeIntervalSince1970)
    let conversation: ConversationIdentifier

    init() throws {
        let name = UUID().uuidString
        (appGroup, keychainGroup, otherGroup) = ("group.\(name)", "TEAMID.\(name)", "TEAMID.\(name).other")
        device = try EmulatedDevice(keychainGroups: [keychainGroup, otherGroup], appGroups: [appGroup])
        conversation = try ConversationIdentifier("conv-1")
    }

    var settings: OpenerSettings {
        OpenerSettings(
            appGroup: appGroup, keychainGroup: keychainGroup, placeholder: FacePhone.placeholder, logSubsystem: subsystem)
    }

    var lines: [String] { EmulatedLog.lines(of: subsystem) }

    func app() throws -> OpenerApp { try OpenerApp(settings) }

    func keychain(clock: (@Sendable () -> Int64)? = nil) throws -> SecItemKeychain {
        SecItemKeychain(
            group: keychainGroup, directory: try GroupContainer(appGroup).directory,
            log: Logger(subsystem: subsystem, category: "keychain"), clock: clock ?? SystemClock.now)
    }

    // MARK: Sealing

    func kid(_ epoch: Int = 0, handle: UInt8 = 1) throws -> KeyIdentifier {
        try KeyIdentifier(handle: try Handle(bytes: [UInt8](repeating: handle, count: 12)), epoch: epoch)
    }

    func secret(_ epoch: Int = 0, handle: UInt8 = 1) throws -> ConversationSecret {
        try ConversationSecret(SymmetricKey(data: [UInt8](repeating: handle, count: 32))).stepped(epoch, in: conversation)
    }

    func bundle(
        for document: EnrollmentDocument, epoch: Int = 0, handle: UInt8 = 1, algorithm: KeyAlgorithm = .dir, sequence: Int64 = 100,
        accessible: AccessibilityClass = .standard
    ) throws -> String {
        let bundle = try ProvisioningBundle(
            kid: try kid(epoch, handle: handle), secret: try secret(epoch, handle: handle), algorithm: algorithm,
            conversation: conversation, sequence: sequence,
            validity: try Validity(issuedAt: now, expiresAt: now + 86_400), accessible: accessible)
        var sender = try HPKE.Sender(
            recipientKey: document.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
            presharedKey: document.enrollmentSecret,
            presharedKeyIdentifier: Data(PresharedKeyIdentifier.enrollment.bytes))
        return try bundle.sealed(to: document.thumbprint, sender: &sender)
    }

    /// Enrolls the phone and gives it a conversation.
    @discardableResult
    func provision(
        algorithm: KeyAlgorithm = .dir, accessible: AccessibilityClass = .standard
    ) throws -> EnrollmentDocument {
        let app = try app()
        let document = try app.identity.make(name: "phone")
        try acceptFirstBundle(in: app, algorithm: algorithm, accessible: accessible)
        return document
    }

    func acceptFirstBundle(
        in app: OpenerApp, algorithm: KeyAlgorithm = .dir, accessible: AccessibilityClass = .standard
    ) throws {
        let document = try app.identity.enrollmentDocument()
        let result = app.accept(bundle: try bundle(for: document, algorithm: algorithm, accessible: accessible))
        guard result.outcome == .installed else { throw result.outcome }
    }

    /// Has the phone hold a key of any class, also of one that no bundle may name.
    func hold(algorithm: KeyAlgorithm, accessible: AccessibilityClass) throws {
        let epoch = HeldEpoch(
            conversation: conversation, algorithm: algorithm, kid: try kid(), state: .active, openUntil: nil, accessible: accessible,
            installation: 0)
        let secret = try secret()
        try keychain().update { _ throws(KeychainUnavailable) in ((), [.add(epoch, secret)]) }
    }

    func seal(
        _ message: UInt8 = 0, epoch: Int = 0, handle: UInt8 = 1, to document: EnrollmentDocument? = nil, more: String = ""
    ) throws -> String {
        let kid = try kid(epoch, handle: handle)
        let secret = try secret(epoch, handle: handle)
        let identifier = try MessageIdentifier(bytes: [UInt8](repeating: message, count: 16))
        let claims =
            #"{"jti":"\#(identifier)","iat":\#(now),"sub":"\#(conversation)","title":"Anna","body":"inside \#(message)","thread":"t","category":"c"\#(more)}"#
        let parts: [[UInt8]]
        let encoded: [UInt8]
        if let document {
            let name = Base64URL.encode(Array(kid.description.utf8))
            encoded = Array(
                Base64URL.encode(
                    #"{"alg":"HPKE-7","kid":"\#(document.thumbprint)","psk_id":"\#(name)","typ":"wax1"}"#.utf8
                ).utf8)
            var sender = try HPKE.Sender(
                recipientKey: document.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
                presharedKey: secret.presharedKey(in: conversation), presharedKeyIdentifier: Data(kid.description.utf8))
            let ciphertext = try sender.seal(Data(claims.utf8), authenticating: encoded)
            parts = [Array(sender.encapsulatedKey), [], Array(ciphertext), []]
        } else {
            encoded = Array(Base64URL.encode(#"{"alg":"dir","enc":"A256GCM","kid":"\#(kid)","typ":"wax1"}"#.utf8).utf8)
            let box = try AES.GCM.seal(
                Array(claims.utf8), using: secret.contentKey(in: conversation), nonce: AES.GCM.Nonce(), authenticating: encoded)
            parts = [[], Array(box.nonce), Array(box.ciphertext), Array(box.tag)]
        }
        return ([String(decoding: encoded, as: UTF8.self)] + parts.map { Base64URL.encode($0) }).joined(separator: ".")
    }
}
