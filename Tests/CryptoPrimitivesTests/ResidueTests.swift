import Foundation
import TestSupport
import Testing

@testable import CryptoPrimitives

/// After the last copy of a secret is gone, the process is searched for its bytes.
@Suite struct ResidueTests {
    @Test func aSecretInUseIsFound() throws {
        let key = SymmetricKey(size: .bits256)
        // This shows that the search finds what is there; that it may see it twice, beside other tests, is no fault.
        #expect(try ProcessMemory.count(ofMasked: masked(key)) >= 1)
        withExtendedLifetime(key) {}
    }

    @Test func nothingIsLeftOfASealedAndOpenedMessage() throws {
        for (name, secret) in try secretsOfOneMessage() {
            // The second half: malloc writes into the first of what is given back.
            #expect(try ProcessMemory.count(ofMasked: secret.suffix(16)) == 0, "\(name)")
        }
    }

    @Test func scratchMemoryIsWipedAlsoWhereTheBodyThrows() throws {
        let secret = try SystemRandomBytes.bytes(32)
        // Many copies: whoever is given the memory next writes over some of them, not over all.
        func fill(_ scratch: UnsafeMutableRawBufferPointer) {
            for index in scratch.indices { scratch[index] = secret[index % 32] ^ ProcessMemory.mask }
        }
        #expect(throws: CryptoKitError.invalidParameter) {
            try withWipedBytes(50_016) { (scratch) throws(CryptoKitError) in
                fill(scratch)
                throw .invalidParameter
            }
        }
        withWipedBytes(70_016, fill)
        #expect(try ProcessMemory.count(ofMasked: secret) == 0)
    }

    /// Seals and opens once in mode PSK, and by a sealing key, and gives every secret of it, masked.
    @inline(never)
    private func secretsOfOneMessage() throws -> [(String, [UInt8])] {
        let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
        let psk = SymmetricKey(size: .bits256)
        let (device, ephemeral) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        var sender = try HPKE.Sender(
            recipientKey: device.publicKey, ciphersuite: suite, info: Data(), presharedKey: psk,
            presharedKeyIdentifier: Data([1]), ephemeralKey: ephemeral)
        var recipient = try HPKE.Recipient(
            privateKey: device, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey,
            presharedKey: psk, presharedKeyIdentifier: Data([1]))
        #expect(try recipient.open(sender.seal(Data(count: 100))) == Data(count: 100))
        let labels = HPKELabels(suiteIdentifier: suite.identifier)
        let agreed = try ephemeral.key.sharedSecret(with: device.publicKey.key)
        let shared = try HPKEKEM(ciphersuite: suite).decapsulate(sender.encapsulatedKey, with: device)
        let secret = try HPKEKeySchedule.secret(
            labels: labels, sharedSecret: shared, presharedKey: HPKEPresharedKey(key: psk, identifier: Data([1])))
        let code = HMAC<SHA256>.authenticationCode(for: Data([1]), using: psk)
        let derived = HKDF<SHA256>.deriveKey(inputKeyMaterial: psk, info: Data([2]), outputByteCount: 64)
        let kept = SymmetricKey(size: .bits256)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            let output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            try AESGCMSealingKey(kept).seal(.empty, nonce: .empty, authenticating: .empty, into: output)
        }
        let read = try P256.KeyAgreement.PrivateKey(rawRepresentation: SymmetricKey(size: .bits256))
        #expect(read.publicKey.x963Representation.count == 65)
        let scalar = try SecretBytes(byteCount: 32) { (bytes) throws(CryptoKitError) in
            try read.key.writeScalar(into: bytes)
        }
        let padded = psk.withUnsafeBytes { key in (0..<32).map { key[$0] ^ 0x36 ^ ProcessMemory.mask } }
        return [
            ("preshared key", masked(psk)), ("padded preshared key", padded),
            ("message key", masked(sender.context.schedule.key)), ("agreed x", masked(agreed)),
            ("exporter secret", masked(sender.context.schedule.exporterSecret)), ("shared secret", masked(shared)),
            ("secret", masked(secret)), ("authentication code", masked(code.storage)),
            ("derived key", masked(derived)), ("scalar", masked(scalar)),
            ("sealing key", masked(kept)), ("scalar as OpenSSL holds it", masked(scalar).reversed()),
        ]
    }

    private func masked(_ secret: SecretBytes) -> [UInt8] {
        secret.withUnsafeBytes { bytes in bytes.map { $0 ^ ProcessMemory.mask } }
    }

    private func masked(_ key: SymmetricKey) -> [UInt8] { masked(key.storage) }
}
