import CryptoPrimitives
import Foundation
import Testing

@Suite struct HPKETests {
    let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    @Test func whatPSKSealsPSKOpens() throws {
        let device = P256.KeyAgreement.PrivateKey()
        let psk = SymmetricKey(size: .bits256)
        let id = Data("enroll".utf8)
        var sender = try HPKE.Sender(
            recipientKey: device.publicKey, ciphersuite: suite, info: Data(), presharedKey: psk,
            presharedKeyIdentifier: id)
        var recipient = try HPKE.Recipient(
            privateKey: .init(rawRepresentation: device.rawRepresentation), ciphersuite: suite, info: Data(),
            encapsulatedKey: sender.encapsulatedKey, presharedKey: psk, presharedKeyIdentifier: id)
        for text in ["first", "", "third"] {
            let sealed = try sender.seal(Data(text.utf8), authenticating: Data("aad".utf8))
            #expect(try recipient.open(sealed, authenticating: Data("aad".utf8)) == Data(text.utf8))
        }
    }
}
