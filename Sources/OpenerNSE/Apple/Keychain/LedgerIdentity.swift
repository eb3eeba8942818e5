internal import CryptoPrimitives
internal import EnvelopeFormat

/// The device in the ledger: what is public of it, and which items of the keychain have its key and its enrollment secret.
struct LedgerIdentity: Sendable, Equatable {
    /// X9.63, 65 bytes.
    let publicKey: [UInt8]
    let name: String
    let keyItem: String
    let secretItem: String

    /// nil where the public key is none.
    var thumbprint: DeviceThumbprint? {
        (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)).map { DeviceThumbprint(of: $0) }
    }
}
