public import CryptoPrimitives

/// JWE `HPKE-7`, integrated encryption in PSK mode (draft-ietf-jose-hpke-encrypt; RFC 9180 with DHKEM(P-256, HKDF-SHA256),
/// HKDF-SHA256, AES-256-GCM): one sealed payload for each device, under its key and a pre-shared key together.
public struct HPKEEnvelope: Sendable {
    package static let ciphersuite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    /// In bytes: an uncompressed point.
    static let encapsulatedKeyByteCount = 65
    static let tagByteCount = 16

    /// The device it is for.
    public let recipient: DeviceThumbprint
    public let presharedKey: PresharedKeyIdentifier
    private let associatedData: [UInt8]
    private let encapsulatedKey: [UInt8]
    private let ciphertext: [UInt8]

    /// The second half of step 5.
    init(_ jwe: CompactJWE, type: EnvelopeType) throws(Outcome) {
        guard jwe.hasExactly(["alg", "kid", "psk_id", "typ"]),
            jwe.initializationVector.isEmpty, jwe.tag.isEmpty, jwe.ciphertext.count >= Self.tagByteCount,
            jwe.encryptedKey.count == Self.encapsulatedKeyByteCount, jwe.encryptedKey[0] == 4,
            let kid = jwe["kid"], let recipient = DeviceThumbprint(kid),
            let name = jwe["psk_id"], let presharedKey = PresharedKeyIdentifier(name, type: type)
        else { throw .malformed }
        self.recipient = recipient
        self.presharedKey = presharedKey
        associatedData = jwe.associatedData
        encapsulatedKey = jwe.encryptedKey
        ciphertext = jwe.ciphertext
    }

    /// The plaintext, padding included.
    /// - Throws: `not-authentic`, for whatever reason; a point off the curve is one.
    public func open(with key: P256.KeyAgreement.PrivateKey, presharedKey secret: SymmetricKey) throws(Outcome)
        -> [UInt8]
    {
        func recipient(_ encapsulatedKey: Data) throws -> HPKE.Recipient {
            try HPKE.Recipient(
                privateKey: key, ciphersuite: Self.ciphersuite, info: Data(), encapsulatedKey: encapsulatedKey,
                presharedKey: secret, presharedKeyIdentifier: Data(presharedKey.bytes))
        }
        do {
            let sent = try? recipient(Data(encapsulatedKey))
            // A point off the curve is refused when the rest was done with one that is on it, as for any other flaw: the time
            // does not tell them apart.
            var opening = try sent ?? recipient(key.publicKey.x963Representation)
            var plaintext = try opening.open(ciphertext, authenticating: associatedData)
            defer { plaintext.withUnsafeMutableBytes { wipe($0) } }
            guard sent != nil else { throw Outcome.notAuthentic }
            return Array(plaintext)
        } catch {
            throw .notAuthentic
        }
    }

    // MARK: Sealing

    /// The encoded protected header: the same for every seal to one device under one pre-shared key.
    package static func encodedHeader(to recipient: DeviceThumbprint, presharedKey: PresharedKeyIdentifier) -> [UInt8] {
        let name = Base64URL.encode(presharedKey.bytes)
        let header =
            #"{"alg":"HPKE-7","kid":"\#(recipient)","psk_id":"\#(name)","typ":"\#(presharedKey.type.rawValue)"}"#
        return Array(Base64URL.encode(header.utf8).utf8)
    }

    /// The longest plaintext in bytes whose compact serialization takes at most `room` characters; negative when none does.
    package static func capacity(room: Int, encodedHeader: [UInt8]) -> Int {
        let rest = room - encodedHeader.count - 4 - Base64URL.encodedCount(encapsulatedKeyByteCount)
        return rest < 0 ? -1 : Base64URL.decodedCount(rest) - tagByteCount
    }

    /// Appends the compact serialization. The sender was made for the recipient with this pre-shared key and an empty
    /// `info`, is fresh, and is used up.
    package static func append(
        _ plaintext: UnsafeRawBufferPointer, encodedHeader: [UInt8], sender: inout HPKE.Sender,
        to output: inout ByteWriter
    ) throws {
        let ciphertext = try sender.seal(Data(plaintext), authenticating: encodedHeader)
        output.append(encodedHeader)
        output.append(UInt8(ascii: "."))
        sender.encapsulatedKey.withUnsafeBytes { output.append(base64URL: $0) }
        output.append("..")
        ciphertext.withUnsafeBytes { output.append(base64URL: $0) }
        output.append(UInt8(ascii: "."))
    }
}
