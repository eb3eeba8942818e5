import EnvelopeFormat
import Foundation
import TestSupport
import Testing
import VectorFiles

@testable import CryptoPrimitives

/// What lies between the keys and the ciphertext, and has no name outside: as RFC 9180's vectors have it, and our own.
@Suite struct HPKEIntermediateTests {
    private static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    private static func vectors(_ file: URL) throws -> [JSONValue] {
        guard case .array(let vectors) = try JSONValue.parse(ProjectFolder.bytes(file)) else { return [] }
        return vectors.filter {
            $0["kem_id"] == .integer(16) && $0["kdf_id"] == .integer(1) && $0["aead_id"] == .integer(2)
                && ($0["mode"]?.plainInteger ?? 9) < 2
        }
    }

    @Test(arguments: ["hpke.json", "rfc9180.json"]) func ours(_ name: String) throws {
        let vectors = try Self.vectors(OwnVectors.file(name))
        #expect(!vectors.isEmpty)
        try vectors.forEach(compare)
    }

    @Test(.enabled(if: PublicVectors.folder != nil, Comment(rawValue: PublicVectors.absence))) func published() throws {
        let vectors = try Self.vectors(PublicVectors.file("rfc9180/hpke-vectors.subset.json"))
        #expect(vectors.count == 2)
        try vectors.forEach(compare)
    }

    private func compare(_ vector: JSONValue) throws {
        func bytes(_ name: String) throws -> [UInt8] { try hex(try #require(vector[name]?.text)) }
        func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { [UInt8]($0) } }
        let privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes("skRm"))
        let kem = HPKEKEM(ciphersuite: Self.suite)
        let sent = try kem.encapsulate(
            to: P256.KeyAgreement.PublicKey(x963Representation: bytes("pkRm")),
            ephemeral: P256.KeyAgreement.PrivateKey(rawRepresentation: bytes("skEm")))
        let received = try kem.decapsulate(Data(bytes("enc")), with: privateKey)
        #expect(bytes(sent) == (try bytes("shared_secret")))
        #expect(bytes(received) == (try bytes("shared_secret")))
        let presharedKey =
            vector["mode"] == .integer(0)
            ? nil : try HPKEPresharedKey(key: SymmetricKey(data: bytes("psk")), identifier: Data(bytes("psk_id")))
        let labels = HPKELabels(suiteIdentifier: Self.suite.identifier)
        let info = Data(try bytes("info"))
        let context = try HPKEKeySchedule.context(labels: labels, info: info, presharedKey: presharedKey)
        #expect([UInt8](context) == (try bytes("key_schedule_context")))
        let secret = try HPKEKeySchedule.secret(labels: labels, sharedSecret: sent, presharedKey: presharedKey)
        #expect(bytes(secret) == (try bytes("secret")))
        let schedule = try HPKEKeySchedule(
            sharedSecret: sent, ciphersuite: Self.suite, info: info, presharedKey: presharedKey)
        #expect(schedule.key.withUnsafeBytes { [UInt8]($0) } == (try bytes("key")))
        #expect(bytes(schedule.baseNonce) == (try bytes("base_nonce")))
        #expect(bytes(schedule.exporterSecret) == (try bytes("exporter_secret")))
    }
}
