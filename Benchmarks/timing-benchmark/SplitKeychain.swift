import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// A device that holds keys of the split profile and nothing else.
struct SplitKeychain: DeviceKeychain {
    let keys: [SymmetricKey]

    func splitKeys() -> [HeldSplitKey] { keys.map { HeldSplitKey(state: .active, openUntil: nil, key: .value($0)) } }

    func thumbprint() -> DeviceThumbprint? { nil }
    func deviceKey() -> Held<P256.KeyAgreement.PrivateKey> { .absent }
    func enrollmentSecret() -> Held<SymmetricKey> { .absent }
    func epochs(of handle: Handle) -> [HeldEpoch] { [] }
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) -> [HeldEpoch] { [] }
    func secret(of kid: KeyIdentifier) -> Held<ConversationSecret> { .absent }
    func lastSequence() -> Int64? { nil }
    func hasInstalled(digest: [UInt8]) -> Bool { false }
    func nextInstallation() -> Int64 { 0 }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result { try body(self).0 }
}

/// The split profile has no messages that could be known again.
struct NoReplays: ReplayRecord {
    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer { .unchecked }
}
