import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import EnvelopeFormat

/// The published example of JWE `HPKE-7` (draft-ietf-jose-hpke-encrypt), which has no pre-shared key: its form, thumbprint
/// and associated data are those of this profile, and the profile refuses it for what it lacks.
@Suite(.enabled(if: PublicVectors.folder != nil, Comment(rawValue: PublicVectors.absence)))
struct PublishedEnvelopeTests {
    let vector: JSONValue
    let compact: [UInt8]
    let key: P256.KeyAgreement.PrivateKey

    init() throws {
        let bytes = [UInt8](try Data(contentsOf: try PublicVectors.file("jose-hpke/jose-vectors.json")))
        guard case .array(let vectors) = try JSONValue.parse(bytes) else { throw FormatError(field: "file", reason: "no array") }
        vector = try #require(vectors.first { $0["alg"] == .string("HPKE-7") })
        compact = Array(try #require(vector["compact"]?.text).utf8)
        let scalar = try #require(vector["jwk"]?["d"]?.text.flatMap { Base64URL.decode($0) })
        key = try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar)
    }

    private func open(_ ciphertext: [UInt8], _ encapsulated: [UInt8], authenticating: [UInt8]) throws -> Data {
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), encapsulatedKey: Data(encapsulated))
        return try recipient.open(ciphertext, authenticating: authenticating)
    }

    @Test func bothSerializationsOpenToTheSameText() throws {
        let jwe = try CompactJWE(compact)
        #expect(jwe.initializationVector.isEmpty && jwe.tag.isEmpty && jwe.encryptedKey.count == 65)
        let text = try open(jwe.ciphertext, jwe.encryptedKey, authenticating: jwe.associatedData)
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("You can trust us to stick with you"))
        func part(_ name: String) throws -> String { try #require(vector["flattened"]?[name]?.text) }
        func bytes(_ name: String) throws -> [UInt8] { try #require(Base64URL.decode(try part(name))) }
        let authenticated = Array("\(try part("protected")).\(try part("aad"))".utf8)
        #expect(try open(try bytes("ciphertext"), try bytes("encrypted_key"), authenticating: authenticated) == text)
    }

    @Test func aFlippedBitIsRefused() throws {
        let jwe = try CompactJWE(compact)
        for index in jwe.ciphertext.indices {
            var flipped = jwe.ciphertext
            flipped[index] ^= 1
            #expect(throws: CryptoKitError.self) {
                try open(flipped, jwe.encryptedKey, authenticating: jwe.associatedData)
            }
        }
    }

    @Test func itsKeyIsNamedByItsThumbprint() throws {
        let point = try DevicePublicKey.point(try #require(vector["jwk"]))
        #expect(DeviceThumbprint(of: point).string == vector["jwk"]?["kid"]?.text)
        #expect(point.x963Representation == key.publicKey.x963Representation)
    }

    @Test func withoutTheProfilesTypeItIsUnsupported() {
        #expect(throws: Outcome.unsupported) { try SealedPayload(message: compact) }
    }
}
