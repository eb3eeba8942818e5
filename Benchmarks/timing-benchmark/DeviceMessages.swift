import CryptoPrimitives
import EnvelopeFormat

/// Messages of `HPKE-7` that are not authentic, each for another reason.
enum DeviceMessages {
    private struct Arrived {
        let text: [UInt8]
        let key: [UInt8]
        let presharedKey: [UInt8]

        /// Read anew.
        func parsed() throws -> (envelope: HPKEEnvelope, key: P256.KeyAgreement.PrivateKey, presharedKey: SymmetricKey) {
            guard case .hpke7(let envelope) = try SealedPayload(message: text) else { throw Outcome.malformed }
            return (envelope, try P256.KeyAgreement.PrivateKey(rawRepresentation: key), SymmetricKey(data: presharedKey))
        }
    }

    private enum Flaw { case tag, point, encapsulatedKey, presharedKey, deviceKey }

    static func pairs() throws -> [TimedPair] {
        func pair(_ classes: String, _ first: Flaw, _ second: Flaw, name: String = "HPKE-7") throws -> TimedPair {
            let inputs = try RandomInputs.pairs { (first: try arrived(first), second: try arrived(second)) }
            return TimedPair(name, classes, inputs) {
                try $0.parsed()
            } _: { envelope, key, secret in
                expectNotAuthentic { () throws(Outcome) in try envelope.open(with: key, presharedKey: secret) }
            }
        }
        return [
            try pair("other tag, other tag", .tag, .tag, name: "control: one class twice"),
            try pair("point off the curve, other tag", .point, .tag),
            try pair("other encapsulated key, other tag", .encapsulatedKey, .tag),
            try pair("other pre-shared key, other tag", .presharedKey, .tag),
            try pair("other device key, other tag", .deviceKey, .tag),
        ]
    }

    private static func arrived(_ flaw: Flaw) throws -> Arrived {
        let key = P256.KeyAgreement.PrivateKey()
        let name = PresharedKeyIdentifier.conversation(try RandomInputs.conversationKey())
        let header = HPKEEnvelope.encodedHeader(to: DeviceThumbprint(of: key.publicKey), presharedKey: name)
        let secret = try RandomInputs.bytes(32)
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), presharedKey: SymmetricKey(data: secret),
            presharedKeyIdentifier: Data(name.bytes))
        var ciphertext = Array(try sender.seal(try RandomInputs.message(), authenticating: header))
        var encapsulatedKey = Array(sender.encapsulatedKey)
        switch flaw {
        case .tag: ciphertext = ciphertext.turned(at: ciphertext.count - 1)
        case .point: encapsulatedKey = encapsulatedKey.turned(at: encapsulatedKey.count - 1)
        case .encapsulatedKey: encapsulatedKey = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        case .presharedKey, .deviceKey: break
        }
        return Arrived(
            text: RandomInputs.text([encapsulatedKey, [], ciphertext, []], header: header),
            key: Array((flaw == .deviceKey ? P256.KeyAgreement.PrivateKey() : key).rawRepresentation),
            presharedKey: flaw == .presharedKey ? try RandomInputs.bytes(32) : secret)
    }
}
