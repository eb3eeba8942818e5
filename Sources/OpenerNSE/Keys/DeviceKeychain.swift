public import CryptoPrimitives
public import EnvelopeFormat

/// The keychain of a device as the opener needs it: SQLite in the simulator, `SecItem` on iOS, a dictionary in known-answer tests.
public protocol DeviceKeychain: KeychainRecords, Sendable {
    /// The thumbprint of the device's key, nil before there is one; readable in every lock state.
    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint?

    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey>

    /// 32 bytes.
    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey>

    /// Looks and changes with no other writer, in any process, in between.
    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result
}
