import CryptoPrimitives
import EnvelopeFormat
import KeyStore

/// The key of one conversation as the sealer keeps it between seals, made ready for its algorithm.
final class SealingKey: Sendable {
    /// What is needed of the secret.
    enum Material: Sendable {
        case dir(AESGCMSealingKey, encodedHeader: [UInt8])
        case hpke7(SymmetricKey)
        case split(SymmetricKey)
    }

    let kid: KeyIdentifier
    let algorithm: KeyAlgorithm
    let members: [SealingState.Member]
    let material: Material
    /// No seal at or after it without asking the store again: an end date, a rotation that is due.
    let askAgainAt: Int64

    init(_ state: SealingState) throws(CryptoKitError) {
        kid = state.kid
        algorithm = state.algorithm
        members = state.members
        askAgainAt = min(state.renewAt ?? Int64.max, state.until.map { $0 + 1 } ?? Int64.max)
        switch state.secret {
        case .split(let key): material = .split(key)
        case .conversation(let secret) where state.algorithm == .hpke7:
            material = .hpke7(secret.presharedKey(in: state.conversation))
        case .conversation(let secret):
            material = .dir(
                try AESGCMSealingKey(secret.contentKey(in: state.conversation)),
                encodedHeader: DirectEnvelope.encodedHeader(state.kid))
        }
    }
}
