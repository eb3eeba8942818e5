import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// A device of the vectors, and the sealer that knows its keys: with it a fuzzer makes authentic messages of what it likes.
/// Nonce and ephemeral key are always the same, so that an input always means the same; they protect nothing.
struct FuzzDevice {
    let keychain: FuzzKeychain
    private let contentKey: SymmetricKey
    private let messageSender: HPKE.Sender
    /// Seals bundles for it; a copy for each.
    let bundleSender: HPKE.Sender
    private let nonce: AES.GCM.Nonce
    /// The usual header of a message in `dir`, of one in `HPKE-7`, and of a bundle.
    let directHeader: [UInt8]
    let deviceHeader: [UInt8]
    let bundleHeader: [UInt8]

    init(_ ring: JSONValue) throws {
        keychain = try FuzzKeychain(ring)
        guard let direct = keychain.first(.dir), let presharedKey = keychain.first(.hpke7), let recipient = keychain.thumbprint() else {
            throw FormatError(field: "ring", reason: "one key of each algorithm is needed")
        }
        let ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
        let publicKey = keychain.key.publicKey
        func sender(_ key: SymmetricKey, _ name: PresharedKeyIdentifier) throws -> HPKE.Sender {
            try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), presharedKey: key,
                presharedKeyIdentifier: Data(name.bytes), ephemeralKey: ephemeral)
        }
        let conversation = PresharedKeyIdentifier.conversation(presharedKey.epoch.kid)
        contentKey = direct.secret.contentKey(in: direct.epoch.conversation)
        messageSender = try sender(presharedKey.secret.presharedKey(in: presharedKey.epoch.conversation), conversation)
        bundleSender = try sender(keychain.secret, .enrollment)
        nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 9, count: 12))
        directHeader = DirectEnvelope.encodedHeader(direct.epoch.kid)
        deviceHeader = HPKEEnvelope.encodedHeader(to: recipient, presharedKey: conversation)
        bundleHeader = HPKEEnvelope.encodedHeader(to: recipient, presharedKey: .enrollment)
    }

    /// The compact string of a message in `dir`.
    func direct(_ plaintext: [UInt8], header: [UInt8]? = nil) throws -> [UInt8] {
        let header = header ?? directHeader
        let box = try AES.GCM.seal(plaintext, using: contentKey, nonce: nonce, authenticating: header)
        return header + Array("..\(Base64URL.encode(box.nonce)).\(Base64URL.encode(box.ciphertext)).\(Base64URL.encode(box.tag))".utf8)
    }

    /// The compact string of a message in `HPKE-7`.
    func toDevice(_ plaintext: [UInt8], header: [UInt8]? = nil) throws -> [UInt8] {
        try sealed(plaintext, header ?? deviceHeader, messageSender)
    }

    /// The compact string of a bundle.
    func bundle(_ plaintext: [UInt8], header: [UInt8]? = nil) throws -> [UInt8] {
        try sealed(plaintext, header ?? bundleHeader, bundleSender)
    }

    private func sealed(_ plaintext: [UInt8], _ header: [UInt8], _ sender: HPKE.Sender) throws -> [UInt8] {
        var sender = sender
        let ciphertext = try sender.seal(plaintext, authenticating: header)
        return header + Array(".\(Base64URL.encode(sender.encapsulatedKey))..\(Base64URL.encode(ciphertext)).".utf8)
    }
}
