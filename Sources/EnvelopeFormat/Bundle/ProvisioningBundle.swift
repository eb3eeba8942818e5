public import CryptoPrimitives

/// How a conversation secret reaches a device: a JWK (RFC 7517 section 4, RFC 7518 section 6.4) sealed to it (bundle spec, section 3).
public struct ProvisioningBundle: Sendable {
    public let kid: KeyIdentifier
    /// C_n of exactly that `kid`.
    public let secret: ConversationSecret
    /// `dir` or `HPKE-7`.
    public let algorithm: KeyAlgorithm
    public let conversation: ConversationIdentifier
    /// 0 to 2^53-1; a device takes only what is above the last it took.
    public let sequence: Int64
    public let validity: Validity
    public let accessible: AccessibilityClass

    /// - Throws: ``FormatError`` for `split`, a class that no bundle may name, a sequence out of range, or no `exp`.
    public init(
        kid: KeyIdentifier, secret: ConversationSecret, algorithm: KeyAlgorithm, conversation: ConversationIdentifier,
        sequence: Int64, validity: Validity, accessible: AccessibilityClass
    ) throws(FormatError) {
        guard algorithm != .split else { throw FormatError(field: "jwe_alg", reason: "neither dir nor HPKE-7") }
        guard accessible.isProvisionable else {
            throw FormatError(field: "accessible", reason: "not a class a bundle may name")
        }
        guard (0...Validity.latestTime).contains(sequence) else {
            throw FormatError(field: "seq", reason: "outside 0 to 2^53-1")
        }
        guard validity.expiresAt != nil else { throw FormatError(field: "exp", reason: "missing") }
        self.kid = kid
        self.secret = secret
        self.algorithm = algorithm
        self.conversation = conversation
        self.sequence = sequence
        self.validity = validity
        self.accessible = accessible
    }

    /// Reads the JWK; members it does not name are passed over.
    init(jwk bytes: [UInt8]) throws(FormatError) {
        let (json, secrets) = try JSONReader.read(bytes, secretMembers: ["k"])
        for (name, word) in [("kty", "oct"), ("use", "enc")] {
            guard let value = json[name]?.text, value.isSame(as: word) else {
                throw FormatError(field: name, reason: "not \(word)")
            }
        }
        guard let key = secrets.first.flatMap({ SecretText.decode($0.text) }) else {
            throw FormatError(field: "k", reason: "not the base64url of 32 bytes")
        }
        guard let kid = KeyIdentifier(try ClaimReader.requiredText(json, "kid")) else {
            throw FormatError(field: "kid", reason: "not a handle and an epoch")
        }
        guard let algorithm = KeyAlgorithm(exactly: try ClaimReader.requiredText(json, "jwe_alg")) else {
            throw FormatError(field: "jwe_alg", reason: "neither dir nor HPKE-7")
        }
        guard let accessible = AccessibilityClass(exactly: try ClaimReader.requiredText(json, "accessible")) else {
            throw FormatError(field: "accessible", reason: "not a class a bundle may name")
        }
        try self.init(
            kid: kid, secret: try ConversationSecret(key), algorithm: algorithm,
            conversation: try ConversationIdentifier(try ClaimReader.requiredText(json, "sub")),
            sequence: try ClaimReader.requiredInteger(json, "seq"),
            validity: try Validity(
                issuedAt: try ClaimReader.requiredInteger(json, "iat"),
                expiresAt: try ClaimReader.requiredInteger(json, "exp")),
            accessible: accessible)
    }

    // MARK: Opening

    /// Steps 4 and 5: the form of the envelope around a bundle.
    /// - Throws: `malformed` or `unsupported`.
    public static func envelope(_ text: [UInt8]) throws(Outcome) -> HPKEEnvelope {
        let jwe = try CompactJWE(text)
        _ = try SealedPayload.algorithm(of: jwe, type: .bundle, allowed: [.hpke7])
        return try HPKEEnvelope(jwe, type: .bundle)
    }

    /// Steps 10 to 12: opens an envelope that is for this device.
    ///
    /// This is the one file that reads a bundle's plaintext, and it wipes it.
    /// - Throws: `not-authentic`, `bad-claims`, `expired` or `not-yet-valid`.
    public static func open(
        _ envelope: HPKEEnvelope, with key: P256.KeyAgreement.PrivateKey, enrollmentSecret: SymmetricKey, now: Int64
    ) throws(Outcome) -> ProvisioningBundle {
        var plaintext = try envelope.open(with: key, presharedKey: enrollmentSecret)
        defer { wipe(&plaintext) }
        guard let bundle = try? ProvisioningBundle(jwk: plaintext) else { throw .badClaims }
        try bundle.validity.check(at: now)
        return bundle
    }

    // MARK: Sealing

    /// The bundle as a JWE compact string. The sender was made for the recipient with the enrollment secret as pre-shared
    /// key, ``PresharedKeyIdentifier/enrollment`` as its name and an empty `info`, and is used up.
    package func sealed(to recipient: DeviceThumbprint, sender: inout HPKE.Sender) throws -> String {
        var jwk = ByteWriter(capacity: 512)
        jwk.append(#"{"kty":"oct","k":""#)
        jwk.append(base64URL: secret.rawKey)
        jwk.append(#"","kid":"#)
        jwk.append(quoted: kid.description)
        jwk.append(#","jwe_alg":"#)
        jwk.append(quoted: algorithm.rawValue)
        jwk.append(#","use":"enc","sub":"#)
        jwk.append(quoted: conversation.string)
        jwk.append(#","seq":"#)
        jwk.append(decimal: sequence)
        jwk.append(#","iat":"#)
        jwk.append(decimal: validity.issuedAt)
        jwk.append(#","exp":"#)
        jwk.append(decimal: validity.end)
        jwk.append(#","accessible":"#)
        jwk.append(quoted: accessible.rawValue)
        jwk.append(UInt8(ascii: "}"))
        var text = ByteWriter(capacity: 1_024)
        try HPKEEnvelope.append(
            UnsafeRawBufferPointer(start: jwk.start, count: jwk.count),
            encodedHeader: HPKEEnvelope.encodedHeader(to: recipient, presharedKey: .enrollment), sender: &sender,
            to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
