import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

@testable import Simulator

/// What a device of the vectors holds. Every input finds it the same: what would change is dropped.
struct FuzzKeychain: DeviceKeychain {
    private var records: CaseRecords
    let key: P256.KeyAgreement.PrivateKey
    let secret: SymmetricKey
    private let identity: DeviceThumbprint

    init(_ ring: JSONValue) throws {
        let device = ring["device"] ?? .null
        key = try P256.KeyAgreement.PrivateKey(rawRepresentation: try CaseFile.bytes(device["jwk"] ?? .null, "d"))
        secret = SymmetricKey(data: try CaseFile.bytes(device, "enrollment_secret"))
        identity = DeviceThumbprint(of: key.publicKey)
        records = try CaseRecords(ring)
    }

    /// The same device, in these circumstances.
    func under(_ circumstances: Circumstances) -> FuzzKeychain {
        var keychain = self
        keychain.records.lock = circumstances.lock
        keychain.records.now = circumstances.now
        return keychain
    }

    /// The first handle of an algorithm: what a fuzzer seals under.
    func first(_ algorithm: KeyAlgorithm) -> (epoch: HeldEpoch, secret: ConversationSecret)? {
        records.held.first { $0.epoch.algorithm == algorithm }
    }

    private func held<Value: Sendable>(_ value: Value) -> Held<Value> {
        AccessibilityClass.afterFirstUnlock.isReadable(in: records.lock) ? .value(value) : .locked
    }

    func thumbprint() -> DeviceThumbprint? { identity }
    func deviceKey() -> Held<P256.KeyAgreement.PrivateKey> { held(key) }
    func enrollmentSecret() -> Held<SymmetricKey> { held(secret) }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result { try body(records).0 }

    func epochs(of handle: Handle) -> [HeldEpoch] { records.epochs(of: handle) }
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) -> [HeldEpoch] {
        records.epochs(in: conversation, algorithm)
    }
    func secret(of kid: KeyIdentifier) -> Held<ConversationSecret> { records.secret(of: kid) }
    func splitKeys() -> [HeldSplitKey] { records.splitKeys() }
    func lastSequence() -> Int64? { records.lastSequence() }
    func hasInstalled(digest: [UInt8]) -> Bool { records.hasInstalled(digest: digest) }
    func nextInstallation() -> Int64 { records.nextInstallation() }
}
