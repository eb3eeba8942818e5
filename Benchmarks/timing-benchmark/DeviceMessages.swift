import CryptoPrimitives
import EnvelopeFormat

/// Messages of `HPKE-7` that are not authentic, each for another reason.
enum DeviceMessages {
    private struct Arrived {
        let envelope: HPKEEnvelope
        let key: P256.KeyAgreement.PrivateKey
        let presharedKey: SymmetricKey

        func refuse() { expectNotAuthentic { () throws(Outcome) in try envelope.open(with: key, presharedKey: presharedKey) } }
    }

    private enum Flaw { case tag, point, encapsulatedKey, presharedKey, deviceKey }

    static func pairs() throws -> [TimedPair] {
        let key = P256.KeyAgreement.PrivateKey()
        func pair(_ classes: String, _ first: Flaw, _ second: Flaw, name: String = "HPKE-7") throws -> TimedPair {
            TimedPair(name, classes, try RandomInputs.pairs { (try arrived(first, key), try arrived(second, key)) }) { $0.refuse() }
        }
        return [
            try pair("other tag, other tag", .tag, .tag, name: "control: one class twice"),
            try pair("point off the curve, other tag", .point, .tag),
            try pair("other encapsulated key, other tag", .encapsulatedKey, .tag),
            try pair("other pre-shared key, other tag", .presharedKey, .tag),
            try pair("other device key, other tag", .deviceKey, .tag),
        ]
    }

    private static func arrived(_ flaw: Flaw, _ key: P256.KeyAgreement.PrivateKey) throws -> Arrived {
        let name = PresharedKeyIdentifier.conversation(try RandomInputs.conversationKey())
        let header = HPKEEnvelope.encodedHeader(to: DeviceThumbprint(of: key.publicKey), presharedKey: name)
        let secret = SymmetricKey(size: .bits256)
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), presharedKey: secret,
            presharedKeyIdentifier: Data(name.bytes))
        var ciphertext = Array(try sender.seal(try RandomInputs.message(), authenticating: header))
        var encapsulatedKey = Array(sender.encapsulatedKey)
        switch flaw {
        case .tag: ciphertext = ciphertext.turned(at: ciphertext.count - 1)
        case .point: encapsulatedKey = encapsulatedKey.turned(at: encapsulatedKey.count - 1)
        case .encapsulatedKey: encapsulatedKey = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        case .presharedKey, .deviceKey: break
        }
        guard case .hpke7(let envelope) = try RandomInputs.parsed([encapsulatedKey, [], ciphertext, []], header: header) else {
            throw Outcome.malformed
        }
        return Arrived(
            envelope: envelope, key: flaw == .deviceKey ? P256.KeyAgreement.PrivateKey() : key,
            presharedKey: flaw == .presharedKey ? SymmetricKey(size: .bits256) : secret)
    }
}
