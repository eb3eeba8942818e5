import CryptoPrimitives
import EnvelopeFormat

/// Seals from a case, with the nonce or the ephemeral key that it gives.
enum CaseSealing {
    /// The answer to a `seal`: `sealed` with the payload, `does-not-fit` or `bad-input`.
    static func payload(_ json: JSONValue) -> [JSONMember] {
        answer("payload_b64") { .string(Base64.encode(try render(json))) }
    }

    /// The answer to a `seal_bundle`: `sealed` with the bundle, or `bad-input`.
    static func bundle(_ json: JSONValue) -> [JSONMember] {
        answer("bundle") { .string(try sealBundle(json)) }
    }

    private static func answer(_ name: String, _ body: () throws -> JSONValue) -> [JSONMember] {
        do {
            return [JSONMember("outcome", .string("sealed")), JSONMember(name, try body())]
        } catch let error as FormatError where error.doesNotFit {
            return [JSONMember("outcome", .string("does-not-fit"))]
        } catch {
            return [JSONMember("outcome", .string("bad-input"))]
        }
    }

    private static func render(_ json: JSONValue) throws -> [UInt8] {
        guard let algorithm = KeyAlgorithm(exactly: try CaseFile.text(json, "alg")) else {
            throw FormatError(field: "alg", reason: "unknown")
        }
        let frame = try frame(json, isObject: algorithm == .split)
        let key = json["key"] ?? .null
        let raw = SymmetricKey(data: try CaseFile.bytes(key, "k"))
        if algorithm == .split {
            let nonce = try AES.GCM.Nonce(data: try CaseFile.bytes(json, "iv"))
            return try frame.sealed(try CaseFile.text(json, "text"), key: raw, nonce: nonce).bytes
        }
        guard let kid = KeyIdentifier(try CaseFile.text(key, "kid")) else {
            throw FormatError(field: "kid", reason: "malformed")
        }
        let conversation = try ConversationIdentifier(try CaseFile.text(key, "sub"))
        let secret = try ConversationSecret(raw)
        try ClaimNames.check(json["claims"] ?? .null)
        let claims = try Claims(json["claims"] ?? .null)
        guard claims.conversation == conversation else {
            throw FormatError(field: "sub", reason: "another conversation")
        }
        guard let padding = Padding(exactly: json["pad"] == nil ? Padding.bucket.rawValue : try CaseFile.text(json, "pad")) else {
            throw FormatError(field: "pad", reason: "unknown")
        }
        if algorithm == .dir {
            let nonce = try CaseFile.bytes(json, "iv")
            guard nonce.count == DirectEnvelope.nonceByteCount else {
                throw FormatError(field: "iv", reason: "not of 12 bytes")
            }
            let sealingKey = try AESGCMSealingKey(secret.contentKey(in: conversation))
            return try nonce.withUnsafeBytes { nonce in
                try frame.sealed(
                    claims.stamp, claims.content, padding: padding, overflow: .truncate, encodedHeader: DirectEnvelope.encodedHeader(kid),
                    key: sealingKey, nonce: nonce
                ).bytes
            }
        }
        let recipient = try DevicePublicKey.point(json["device"] ?? .null)
        let name = PresharedKeyIdentifier.conversation(kid)
        var sender = try sender(json, to: recipient, presharedKey: secret.presharedKey(in: conversation), name: name)
        return try frame.sealed(
            claims.stamp, claims.content, padding: padding, overflow: .truncate,
            encodedHeader: HPKEEnvelope.encodedHeader(to: DeviceThumbprint(of: recipient), presharedKey: name),
            sender: &sender
        ).bytes
    }

    private static func frame(_ json: JSONValue, isObject: Bool) throws -> PayloadFrame {
        guard let rendering = Platform(exactly: try CaseFile.text(json, "rendering")) else {
            throw FormatError(field: "rendering", reason: "unknown")
        }
        let body = try CaseFile.text(json, "body")
        var attributes: NotificationAttributes?
        if rendering == .apns {
            attributes =
                if let aps = json["aps"] {
                    try NotificationAttributes(aps)
                } else {
                    try NotificationAttributes(alert: [JSONMember("body", .string(body))])
                }
        } else if isObject {
            throw FormatError(field: "rendering", reason: "split is for APNs alone")
        }
        var imageURL: String?
        if json["image_url"] != nil { imageURL = try CaseFile.text(json, "image_url") }
        return try PayloadFrame(
            type: try CaseFile.text(json, "type"), body: body, imageURL: imageURL, attributes: attributes,
            isObject: isObject, limit: Int(try CaseFile.integer(json, "limit")))
    }

    private static func sender(
        _ json: JSONValue, to recipient: P256.KeyAgreement.PublicKey, presharedKey: SymmetricKey,
        name: PresharedKeyIdentifier
    ) throws -> HPKE.Sender {
        let ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: try CaseFile.bytes(json, "ephemeral"))
        return try HPKE.Sender(
            recipientKey: recipient, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), presharedKey: presharedKey,
            presharedKeyIdentifier: Data(name.bytes), ephemeralKey: ephemeral)
    }

    private static func sealBundle(_ json: JSONValue) throws -> String {
        let recipient = try DevicePublicKey.point(json["device"] ?? .null)
        guard let kid = KeyIdentifier(try CaseFile.text(json, "kid")),
            let algorithm = KeyAlgorithm(exactly: try CaseFile.text(json, "jwe_alg")),
            let accessible = AccessibilityClass(exactly: try CaseFile.text(json, "accessible"))
        else { throw FormatError(field: "seal_bundle", reason: "a kid, algorithm or class that there is not") }
        let bundle = try ProvisioningBundle(
            kid: kid, secret: try ConversationSecret(SymmetricKey(data: try CaseFile.bytes(json, "k"))),
            algorithm: algorithm, conversation: try ConversationIdentifier(try CaseFile.text(json, "sub")),
            sequence: try CaseFile.integer(json, "seq"),
            validity: try Validity(
                issuedAt: try CaseFile.integer(json, "iat"), expiresAt: try CaseFile.integer(json, "exp")),
            accessible: accessible)
        let secret = SymmetricKey(data: try CaseFile.bytes(json, "enrollment_secret"))
        guard secret.bitCount == 256 else { throw FormatError(field: "enrollment_secret", reason: "not of 32 bytes") }
        var sender = try sender(json, to: recipient, presharedKey: secret, name: .enrollment)
        return try bundle.sealed(to: DeviceThumbprint(of: recipient), sender: &sender)
    }
}
