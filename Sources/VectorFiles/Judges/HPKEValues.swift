import CryptoPrimitives
import EnvelopeFormat

/// What lies between the keys of a vector of RFC 9180 and its messages, computed anew by P-256, HKDF and AES-GCM alone.
///
/// HPKE as it is used here shows none of these; its ciphertexts and exported values are compared by ``HPKERun``.
struct HPKEValues {
    private let vector: JSONValue
    private let kem: [UInt8] = Array("KEM".utf8) + [0x00, 0x10]
    private let suite: [UInt8] = Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x02]

    init(_ vector: JSONValue) { self.vector = vector }

    /// The name of the first value that differs, or nil.
    func failure() throws -> String? {
        for values in [["ikmE", "skEm", "pkEm"], ["ikmR", "skRm", "pkRm"]] {
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: vector.bytes(values[1]))
            // Not in every file: `enc` and the private key say the same.
            if vector[values[2]] != nil, [UInt8](key.publicKey.x963Representation) != (try vector.bytes(values[2])) { return values[2] }
            if vector[values[0]] == nil { continue }
            // DeriveKeyPair: the first candidate is of the curve's order but for one in 2^32.
            let candidate = try expand(extract([], "dkp_prk", vector.bytes(values[0]), kem), "candidate", [0], 32, kem)
            guard candidate == (try vector.bytes(values[1])) else { return "\(values[1]), or its \(values[0])" }
        }
        let recipient = try P256.KeyAgreement.PublicKey(x963Representation: vector.bytes("pkRm"))
        let agreed = try P256.KeyAgreement.PrivateKey(rawRepresentation: vector.bytes("skEm")).sharedSecretFromKeyAgreement(with: recipient)
        let context = try vector.bytes("enc") + vector.bytes("pkRm")
        let shared = try expand(extract([], "eae_prk", agreed.withUnsafeBytes { [UInt8]($0) }, kem), "shared_secret", context, 32, kem)
        guard shared == (try vector.bytes("shared_secret")) else { return "shared_secret" }
        return try scheduleFailure(shared) ?? messageFailure()
    }

    private func scheduleFailure(_ shared: [UInt8]) throws -> String? {
        let mode = try vector.integer("mode")
        let (psk, name) = try mode == 0 ? ([], []) : (vector.bytes("psk"), vector.bytes("psk_id"))
        let context =
            try [UInt8(mode)] + extract([], "psk_id_hash", name, suite) + extract([], "info_hash", vector.bytes("info"), suite)
        let secret = extract(shared, "secret", psk, suite)
        let values = [
            ("key_schedule_context", context), ("secret", secret), ("key", try expand(secret, "key", context, 32, suite)),
            ("base_nonce", try expand(secret, "base_nonce", context, 12, suite)),
            ("exporter_secret", try expand(secret, "exp", context, 32, suite)),
        ]
        return try values.first { try $0.1 != vector.bytes($0.0) }?.0
    }

    /// The nonce of each message: the base nonce and the message's number.
    private func messageFailure() throws -> String? {
        for (index, message) in try vector.elements("encryptions").enumerated() {
            let number = try message["seq"] == nil ? index : message.integer("seq")
            var nonce = try vector.bytes("base_nonce")
            for place in 0..<8 { nonce[nonce.count - 1 - place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
            guard nonce == (try message.bytes("nonce")) else { return "nonce \(number)" }
        }
        return nil
    }

    private func extract(_ salt: [UInt8], _ label: String, _ key: [UInt8], _ suite: [UInt8]) -> [UInt8] {
        let labeled = Array("HPKE-v1".utf8) + suite + Array(label.utf8) + key
        return [UInt8](HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: labeled), salt: salt))
    }

    private func expand(
        _ secret: [UInt8], _ label: String, _ info: [UInt8], _ byteCount: UInt8, _ suite: [UInt8]
    ) throws -> [UInt8] {
        let labeled = [0, byteCount] + Array("HPKE-v1".utf8) + suite + Array(label.utf8) + info
        return try HKDF<SHA256>.expansion(pseudoRandomKey: secret, info: labeled, outputByteCount: Int(byteCount)).bytes
    }
}
