import Foundation
import TestSupport

@testable import CryptoPrimitives

/// A sender and a recipient set up as one vector says, compared with it byte for byte.
struct HPKEVectorRun {
    private let vector: HPKEVector
    private let sharedSecrets: [SecretBytes]
    private let presharedKey: HPKEPresharedKey?
    private var sender: HPKE.Sender
    private var recipient: HPKE.Recipient
    private static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    init(_ vector: HPKEVector) throws {
        self.vector = vector
        let info = try Data(hex(vector.info))
        let enc = try Data(hex(vector.enc))
        let privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: hex(vector.skRm))
        let publicKey = try P256.KeyAgreement.PublicKey(x963Representation: hex(vector.pkRm))
        let ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: hex(vector.skEm))
        let kem = HPKEKEM(ciphersuite: Self.suite)
        sharedSecrets = [
            try kem.encapsulate(to: publicKey, ephemeral: ephemeral), try kem.decapsulate(enc, with: privateKey),
        ]
        if vector.mode == 0 {
            presharedKey = nil
            sender = try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: Self.suite, info: info, ephemeralKey: ephemeral)
            recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: Self.suite, info: info, encapsulatedKey: enc)
        } else {
            let psk = try SymmetricKey(data: hex(vector.psk ?? "-"))
            let identifier = try Data(hex(vector.pskId ?? "-"))
            presharedKey = try HPKEPresharedKey(key: psk, identifier: identifier)
            sender = try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: Self.suite, info: info, presharedKey: psk,
                presharedKeyIdentifier: identifier, ephemeralKey: ephemeral)
            recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: Self.suite, info: info, encapsulatedKey: enc,
                presharedKey: psk, presharedKeyIdentifier: identifier)
        }
    }

    /// The name of the first value that differs, or nil.
    mutating func failure() throws -> String? {
        if let failure = try setUpFailure() { return failure }
        for export in vector.exports {
            let context = try hex(export.exporterContext)
            let sent = try sender.exportSecret(context: context, outputByteCount: export.byteCount)
            let received = try recipient.exportSecret(context: context, outputByteCount: export.byteCount)
            guard bytes(sent) == (try hex(export.exportedValue)), sent == received else { return "exported value" }
        }
        for encryption in vector.encryptions {
            try advance(to: encryption.seq)
            let aad = try hex(encryption.aad)
            let sealed = try sender.seal(hex(encryption.pt), authenticating: aad)
            guard [UInt8](sealed) == (try hex(encryption.ct)) else { return "ciphertext \(encryption.seq)" }
            let opened = try recipient.open(sealed, authenticating: aad)
            guard [UInt8](opened) == (try hex(encryption.pt)) else { return "plaintext \(encryption.seq)" }
        }
        return nil
    }

    private func setUpFailure() throws -> String? {
        for sharedSecret in sharedSecrets where bytes(sharedSecret) != (try hex(vector.sharedSecret)) {
            return "shared secret"
        }
        guard [UInt8](sender.encapsulatedKey) == (try hex(vector.enc)) else { return "encapsulated key" }
        let labels = HPKELabels(suiteIdentifier: Self.suite.identifier)
        let context = try HPKEKeySchedule.context(
            labels: labels, info: Data(hex(vector.info)), presharedKey: presharedKey)
        guard [UInt8](context) == (try hex(vector.keyScheduleContext)) else { return "key schedule context" }
        let secret = try HPKEKeySchedule.secret(
            labels: labels, sharedSecret: sharedSecrets[0], presharedKey: presharedKey)
        guard bytes(secret) == (try hex(vector.secret)) else { return "secret" }
        for schedule in [sender.context.schedule, recipient.context.schedule] {
            guard bytes(schedule.key) == (try hex(vector.key ?? "-")) else { return "key" }
            guard bytes(schedule.baseNonce) == (try hex(vector.baseNonce ?? "-")) else { return "base nonce" }
            guard bytes(schedule.exporterSecret) == (try hex(vector.exporterSecret)) else { return "exporter secret" }
        }
        return nil
    }

    /// Both sides go through the messages that the vector leaves out.
    private mutating func advance(to sequenceNumber: UInt64) throws {
        while sender.context.sequenceNumber < sequenceNumber {
            _ = try recipient.open(sender.seal(Data("between".utf8)))
        }
    }
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) throws -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: text) else { throw VectorFileError.field(text) }
    return bytes
}

func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { [UInt8]($0) } }

func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { [UInt8]($0) } }
