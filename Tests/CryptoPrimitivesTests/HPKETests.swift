import Foundation
import Testing

@testable import CryptoPrimitives

@Suite struct HPKETests {
    let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    let device = P256.KeyAgreement.PrivateKey()
    let psk = SymmetricKey(size: .bits256)
    let identifier = Data("enroll".utf8)
    let info = Data("info".utf8)
    let message = Data("message".utf8)

    @Test func whatPSKSealsPSKOpens() throws {
        var sender = try sender()
        var recipient = try recipient(of: sender)
        for text in ["first", "", "third"] {
            let sealed = try sender.seal(Data(text.utf8), authenticating: info)
            #expect(sealed.count == text.utf8.count + 16)
            #expect(try recipient.open(sealed, authenticating: info) == Data(text.utf8))
        }
        let here = try sender.exportSecret(context: info, outputByteCount: 48)
        #expect(try recipient.exportSecret(context: info, outputByteCount: 48) == here)
    }

    @Test func whatBaseSealsBaseOpens() throws {
        var sender = try HPKE.Sender(recipientKey: device.publicKey, ciphersuite: suite, info: info)
        let sealed = try sender.seal(message)
        var recipient = try HPKE.Recipient(
            privateKey: device, ciphersuite: suite, info: info, encapsulatedKey: sender.encapsulatedKey)
        #expect(try recipient.open(sealed) == message)
        var other = try self.recipient(of: sender)
        #expect(throws: CryptoKitError.authenticationFailure) { try other.open(sealed) }
    }

    @Test func everySenderHasAnEphemeralKeyOfItsOwn() throws {
        #expect(Set(try (0..<20).map { _ in try sender().encapsulatedKey }).count == 20)
    }

    @Test func anotherSecretOrNameDoesNotOpen() throws {
        var sender = try sender()
        let sealed = try sender.seal(message)
        let enc = sender.encapsulatedKey
        func open(
            _ key: P256.KeyAgreement.PrivateKey? = nil, psk: SymmetricKey? = nil, identifier: Data? = nil,
            info: Data? = nil, authenticating: Data = Data()
        ) throws -> Data {
            var recipient = try HPKE.Recipient(
                privateKey: key ?? device, ciphersuite: suite, info: info ?? self.info, encapsulatedKey: enc,
                presharedKey: psk ?? self.psk, presharedKeyIdentifier: identifier ?? self.identifier)
            return try recipient.open(sealed, authenticating: authenticating)
        }
        #expect(try open() == message)
        let failure = CryptoKitError.authenticationFailure
        #expect(throws: failure) { try open(P256.KeyAgreement.PrivateKey()) }
        #expect(throws: failure) { try open(psk: SymmetricKey(size: .bits256)) }
        #expect(throws: failure) { try open(identifier: Data("enrol".utf8)) }
        #expect(throws: failure) { try open(info: Data()) }
        #expect(throws: failure) { try open(authenticating: Data([0])) }
    }

    @Test func aFailedOpenDoesNotCount() throws {
        var sender = try sender()
        var recipient = try recipient(of: sender)
        let (first, second) = (try sender.seal(message), try sender.seal(message))
        #expect(first != second)
        #expect(throws: CryptoKitError.authenticationFailure) { try recipient.open(second) }
        #expect(throws: HPKE.Errors.ciphertextTooShort) { try recipient.open(first.prefix(15)) }
        #expect(throws: CryptoKitError.authenticationFailure) { try recipient.open(first.prefix(16)) }
        #expect(try recipient.open(first) == message)
        #expect(throws: CryptoKitError.authenticationFailure) { try recipient.open(first) }
        #expect(try recipient.open(second) == message)
    }

    @Test func theLastSequenceNumberIsNeverUsed() throws {
        var sender = try sender()
        var recipient = try recipient(of: sender)
        sender.context.sequenceNumber = .max - 1
        recipient.context.sequenceNumber = .max - 1
        let last = try sender.seal(message)
        #expect(throws: HPKE.Errors.outOfRangeSequenceNumber) { try sender.seal(message) }
        #expect(try recipient.open(last) == message)
        #expect(throws: HPKE.Errors.outOfRangeSequenceNumber) { try recipient.open(last) }
    }

    @Test func presharedKeyAndNameComeTogether() throws {
        let none = SymmetricKey(data: [UInt8]())
        let short = SymmetricKey(data: [UInt8](repeating: 1, count: 31))
        let cases: [(SymmetricKey, Data, HPKE.Errors)] = [
            (none, Data(), .expectedPSK), (psk, Data(), .inconsistentPSKInputs),
            (none, identifier, .inconsistentPSKInputs), (short, identifier, .inconsistentParameters),
        ]
        let enc = try sender().encapsulatedKey
        for (key, name, error) in cases {
            #expect(throws: error) {
                try HPKE.Sender(
                    recipientKey: device.publicKey, ciphersuite: suite, info: info, presharedKey: key,
                    presharedKeyIdentifier: name)
            }
            #expect(throws: error) {
                try HPKE.Sender(
                    recipientKey: device.publicKey, ciphersuite: suite, info: info, presharedKey: key,
                    presharedKeyIdentifier: name, ephemeralKey: device)
            }
            #expect(throws: error) {
                try HPKE.Recipient(
                    privateKey: device, ciphersuite: suite, info: info, encapsulatedKey: enc, presharedKey: key,
                    presharedKeyIdentifier: name)
            }
        }
    }

    @Test func anEncapsulatedKeyThatIsNoPointIsRefused() throws {
        for test in try OwnVectors.read().points {
            guard let refusal = test.refusal.error else { continue }
            let enc = try Data(hex(test.point))
            #expect(throws: refusal, "\(test.name)") {
                try HPKE.Recipient(privateKey: device, ciphersuite: suite, info: info, encapsulatedKey: enc)
            }
        }
    }

    @Test(arguments: [-1, 0, 8161])
    func exportOfNoBytesOrTooManyIsRefused(_ count: Int) throws {
        let sender = try sender()
        let recipient = try recipient(of: sender)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try sender.exportSecret(context: info, outputByteCount: count)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try recipient.exportSecret(context: info, outputByteCount: count)
        }
    }

    private func sender() throws -> HPKE.Sender {
        try HPKE.Sender(
            recipientKey: device.publicKey, ciphersuite: suite, info: info, presharedKey: psk,
            presharedKeyIdentifier: identifier)
    }

    private func recipient(of sender: HPKE.Sender) throws -> HPKE.Recipient {
        try HPKE.Recipient(
            privateKey: device, ciphersuite: suite, info: info, encapsulatedKey: sender.encapsulatedKey,
            presharedKey: psk, presharedKeyIdentifier: identifier)
    }
}
