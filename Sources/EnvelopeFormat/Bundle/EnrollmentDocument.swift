public import CryptoPrimitives

/// What a device gives the backend, over the app's own authenticated channel: its public key and its enrollment secret
/// (bundle spec, section 2).
public struct EnrollmentDocument: Sendable {
    public let publicKey: P256.KeyAgreement.PublicKey
    /// 32 bytes, the pre-shared key of every bundle for the device.
    public let enrollmentSecret: SymmetricKey
    /// 1 to 128 bytes, for people.
    public let name: String

    /// - Throws: ``FormatError`` for a secret that is not of 32 bytes or a name that is not of 1 to 128.
    public init(publicKey: P256.KeyAgreement.PublicKey, enrollmentSecret: SymmetricKey, name: String)
        throws(FormatError)
    {
        guard enrollmentSecret.bitCount == 256 else {
            throw FormatError(field: "enrollment_secret", reason: "not of 32 bytes")
        }
        guard (1...128).contains(name.utf8.count) else {
            throw FormatError(field: "name", reason: "\(name.utf8.count) bytes where 1 to 128 are allowed")
        }
        self.publicKey = publicKey
        self.enrollmentSecret = enrollmentSecret
        self.name = name
    }

    /// Reads a document of exactly `jwk`, `enrollment_secret` and `name`. The caller wipes the bytes.
    /// - Throws: ``FormatError`` naming the member at fault.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let (json, secrets) = try JSONReader.read(bytes, secretMembers: ["enrollment_secret"])
        guard let members = json.members else {
            throw FormatError(field: "enrollment document", reason: "not an object")
        }
        guard let jwk = json["jwk"] else { throw FormatError(field: "jwk", reason: "missing") }
        let publicKey = try DevicePublicKey.parse(jwk)
        guard let text = secrets.first?.text, let secret = SecretText.decode(text) else {
            throw FormatError(field: "enrollment_secret", reason: "not the base64url of 32 bytes")
        }
        let name = try ClaimReader.requiredText(json, "name")
        guard members.count == 3 else { throw FormatError(field: "enrollment document", reason: "an unknown member") }
        try self.init(publicKey: publicKey, enrollmentSecret: secret, name: name)
    }

    /// The identity of the device.
    public var thumbprint: DeviceThumbprint { DeviceThumbprint(of: publicKey) }

    /// The document as compact JSON. It holds the enrollment secret: the caller wipes it.
    public func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 1_024)
        writer.append(#"{"jwk":"#)
        writer.append(json: DevicePublicKey.json(publicKey))
        writer.append(#","enrollment_secret":""#)
        writer.append(base64URL: enrollmentSecret)
        writer.append(#"","name":"#)
        writer.append(quoted: name)
        writer.append(UInt8(ascii: "}"))
        return writer.bytes
    }
}
