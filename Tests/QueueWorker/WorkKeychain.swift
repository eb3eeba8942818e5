import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// One key of the split profile, and conversations that are locked.
struct WorkKeychain: DeviceKeychain {
    private static let locked = KeychainUnavailable(reason: "locked", isLocked: true)
    let key = SymmetricKey(size: .bits256)

    func sealed(_ text: String) throws -> SealedMember {
        let box = try AES.GCM.seal(Array(text.utf8), using: key)
        func member(_ name: String, _ bytes: [UInt8]) -> JSONMember { JSONMember(name, .string(Base64.encode(bytes))) }
        return .object([
            member("ciphertext", Array(box.ciphertext)), member("nonce", Array(box.nonce)), member("tag", Array(box.tag)),
        ])
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        [HeldSplitKey(state: .active, openUntil: nil, key: .value(key))]
    }

    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint? { throw Self.locked }
    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey> { throw Self.locked }
    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey> { throw Self.locked }
    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] { throw Self.locked }
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable) -> [HeldEpoch] {
        throw Self.locked
    }
    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> { throw Self.locked }
    func lastSequence() throws(KeychainUnavailable) -> Int64? { throw Self.locked }
    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool { throw Self.locked }
    func nextInstallation() throws(KeychainUnavailable) -> Int64 { throw Self.locked }
    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result { throw Self.locked }
}

/// No message was seen before.
struct NoReplays: ReplayRecord {
    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer { .new }
}
