import CryptoPrimitives
import EnvelopeFormat

/// A sender and a recipient set up as a vector of RFC 9180 says, compared with it byte for byte.
///
/// What lies between (shared secret, key schedule) has no name outside CryptoPrimitives: ``HPKEValues`` computes it anew.
struct HPKERun {
    private static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    private let vector: JSONValue
    private var sender: HPKE.Sender
    private var recipient: HPKE.Recipient
    /// The number of the next message.
    private var number = 0

    /// Whether a vector is one of our suite, whatever its numbers say.
    static func answers(_ vector: JSONValue) -> Bool {
        guard var run = try? HPKERun(vector) else { return false }
        return (try? run.failure() == nil) ?? false
    }

    /// A vector of our suite in mode base or PSK.
    init(_ vector: JSONValue) throws {
        self.vector = vector
        let info = Data(try vector.bytes("info"))
        let privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: vector.bytes("skRm"))
        let publicKey = try P256.KeyAgreement.PublicKey(x963Representation: vector.bytes("pkRm"))
        let ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: vector.bytes("skEm"))
        let encapsulated = Data(try vector.bytes("enc"))
        if try vector.integer("mode") == 0 {
            sender = try HPKE.Sender(recipientKey: publicKey, ciphersuite: Self.suite, info: info, ephemeralKey: ephemeral)
            recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: Self.suite, info: info, encapsulatedKey: encapsulated)
        } else {
            let psk = SymmetricKey(data: try vector.bytes("psk"))
            let name = Data(try vector.bytes("psk_id"))
            sender = try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: Self.suite, info: info, presharedKey: psk, presharedKeyIdentifier: name,
                ephemeralKey: ephemeral)
            recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: Self.suite, info: info, encapsulatedKey: encapsulated, presharedKey: psk,
                presharedKeyIdentifier: name)
        }
    }

    /// The name of the first value that differs, or nil.
    mutating func failure() throws -> String? {
        for name in ["exports", "encryptions"] where try vector.elements(name).isEmpty {
            throw FormatError(field: name, reason: "there is none")
        }
        guard [UInt8](sender.encapsulatedKey) == (try vector.bytes("enc")) else { return "encapsulated key" }
        for export in try vector.elements("exports") {
            let (context, count) = (try export.bytes("exporter_context"), try export.integer("L"))
            let expected = try export.bytes("exported_value")
            guard expected.count == count else { throw FormatError(field: "exported_value", reason: "not as long as L says") }
            let sent = try sender.exportSecret(context: context, outputByteCount: count)
            let received = try recipient.exportSecret(context: context, outputByteCount: count)
            guard sent.bytes == expected, received.bytes == expected else { return "exported value" }
        }
        for encryption in try vector.elements("encryptions") {
            let (message, aad) = (try encryption.bytes("pt"), try encryption.bytes("aad"))
            let expected = try encryption.bytes("ct")
            // Where a file leaves none out, it does not number them.
            try advance(to: encryption["seq"] == nil ? number : encryption.integer("seq"))
            var changed = expected
            if !changed.isEmpty { changed[0] ^= 1 }
            guard [UInt8](try sender.seal(message, authenticating: aad)) == expected else { return "ciphertext \(number)" }
            guard (try? recipient.open(changed, authenticating: aad)) == nil else { return "refusal of a changed ciphertext \(number)" }
            guard [UInt8](try recipient.open(expected, authenticating: aad)) == message else { return "message \(number)" }
            number += 1
        }
        return try HPKEValues(vector).failure()
    }

    /// Both sides go through the messages that the vector leaves out.
    private mutating func advance(to sequence: Int) throws {
        guard sequence >= number, sequence <= number + 1 << 16 else { throw FormatError(field: "seq", reason: "out of order") }
        while number < sequence {
            _ = try recipient.open(sender.seal([UInt8]()))
            number += 1
        }
    }
}
