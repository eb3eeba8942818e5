import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// Keys, claims and frames that tests share.
enum Sample {
    static func claims(body: String?, title: String? = nil, isTruncated: Bool = false, data: [JSONMember]? = nil) throws
        -> Claims
    {
        var content = Content()
        content.title = title
        content.body = body
        content.isTruncated = isTruncated
        content.data = data
        return try Claims(
            identifier: try MessageIdentifier(bytes: [UInt8](0..<16)),
            validity: try Validity(issuedAt: 1_700_000_000, expiresAt: 1_700_000_600),
            conversation: try conversation(), content: content)
    }

    static func conversation() throws -> ConversationIdentifier { try ConversationIdentifier("conv-1") }

    static func kid(_ epoch: Int = 7) throws -> KeyIdentifier {
        try KeyIdentifier(handle: try Handle(bytes: [UInt8](100..<112)), epoch: epoch)
    }

    static func secret() throws -> ConversationSecret { try ConversationSecret(SymmetricKey(data: [UInt8](32..<64))) }

    static let device = P256.KeyAgreement.PrivateKey()
    static let nonce = [UInt8](1...12)

    static func attributes() throws -> NotificationAttributes {
        try NotificationAttributes(alert: [
            JSONMember("title", .string("App")), JSONMember("body", .string("New message")),
        ])
    }

    static func frame(limit: Int = PayloadLimit.standard, isObject: Bool = false, platform: Platform = .apns) throws
        -> PayloadFrame
    {
        try PayloadFrame(
            type: "msg", body: "New message", imageURL: nil, attributes: platform == .apns ? try attributes() : nil,
            isObject: isObject, limit: limit)
    }

    static func directHeader() throws -> [UInt8] { DirectEnvelope.encodedHeader(try kid()) }

    static func hpkeHeader() throws -> [UInt8] {
        HPKEEnvelope.encodedHeader(to: DeviceThumbprint(of: device.publicKey), presharedKey: .conversation(try kid()))
    }

    static func sender(_ name: PresharedKeyIdentifier? = nil, key: SymmetricKey? = nil) throws -> HPKE.Sender {
        let name = try name ?? .conversation(try kid())
        return try HPKE.Sender(
            recipientKey: device.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
            presharedKey: try key ?? secret().presharedKey(in: conversation()), presharedKeyIdentifier: Data(name.bytes)
        )
    }

    /// The payload of claims, under `dir` or `HPKE-7`.
    static func seal(
        _ claims: Claims, _ algorithm: KeyAlgorithm, in frame: PayloadFrame, padding: Padding = .none,
        overflow: Overflow = .truncate
    ) throws -> RenderedPayload {
        if algorithm == .dir {
            let key = try AESGCMSealingKey(try secret().contentKey(in: try conversation()))
            return try nonce.withUnsafeBytes {
                try frame.sealed(
                    claims.stamp, claims.content, padding: padding, overflow: overflow, encodedHeader: try directHeader(), key: key,
                    nonce: $0
                )
            }
        }
        var sender = try sender()
        return try frame.sealed(
            claims.stamp, claims.content, padding: padding, overflow: overflow, encodedHeader: try hpkeHeader(), sender: &sender)
    }

    /// The claims' bytes of a sealed payload, padding included.
    static func open(_ payload: SealedPayload) throws -> [UInt8] {
        switch payload {
        case .dir(let envelope): try envelope.open(with: try secret().contentKey(in: try conversation()))
        case .hpke7(let envelope):
            try envelope.open(with: device, presharedKey: try secret().presharedKey(in: try conversation()))
        }
    }

    static func open(payload: [UInt8], limit: Int) throws -> [UInt8] {
        guard case .string(let text) = try SealedMember(payload: payload, limit: limit) else { throw Outcome.notSealed }
        return try open(try SealedPayload(message: Array(text.utf8)))
    }

    /// The plaintext under a header and with parts of the caller's choosing.
    static func compact(header: String, _ parts: [UInt8]...) -> [UInt8] {
        Array(([Array(header.utf8)] + parts).map { Base64URL.encode($0) }.joined(separator: ".").utf8)
    }
}
