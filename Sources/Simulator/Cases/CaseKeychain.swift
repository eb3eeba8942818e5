import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE
import Synchronization

/// The keychain of a known-answer device: a dictionary behind a lock.
final class CaseKeychain: DeviceKeychain {
    private let records: Mutex<CaseRecords>
    private let key: P256.KeyAgreement.PrivateKey
    /// Of the public members, which need not belong to the private one.
    private let identity: DeviceThumbprint
    private let secret: SymmetricKey
    private let accessible: AccessibilityClass

    /// - Throws: ``FormatError`` for a ring that is not as the format says.
    init(_ ring: JSONValue) throws(FormatError) {
        let device = ring["device"] ?? .null
        do {
            key = try P256.KeyAgreement.PrivateKey(rawRepresentation: try CaseFile.bytes(device["jwk"] ?? .null, "d"))
        } catch {
            throw FormatError(field: "device.jwk", reason: "not a private key of P-256")
        }
        identity = DeviceThumbprint(of: try DevicePublicKey.point(device["jwk"] ?? .null))
        secret = SymmetricKey(data: try CaseFile.bytes(device, "enrollment_secret"))
        accessible =
            device["accessible"] == nil
            ? .afterFirstUnlock : try CaseRecords.word(device, "accessible", AccessibilityClass.self)
        records = Mutex(try CaseRecords(ring))
    }

    func set(_ lock: LockState, now: Int64) {
        records.withLock {
            $0.lock = lock
            $0.now = now
        }
    }

    private func held<Value: Sendable>(_ value: Value) -> Held<Value> {
        accessible.isReadable(in: records.withLock { $0.lock }) ? .value(value) : .locked
    }

    func thumbprint() -> DeviceThumbprint? { identity }
    func deviceKey() -> Held<P256.KeyAgreement.PrivateKey> { held(key) }
    func enrollmentSecret() -> Held<SymmetricKey> { held(secret) }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result {
        try records.withLock { records throws(KeychainUnavailable) in
            let (result, changes) = try body(records)
            for change in changes { records.apply(change) }
            return result
        }
    }

    func epochs(of handle: Handle) -> [HeldEpoch] { records.withLock { $0.epochs(of: handle) } }
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) -> [HeldEpoch] {
        records.withLock { $0.epochs(in: conversation, algorithm) }
    }
    func secret(of kid: KeyIdentifier) -> Held<ConversationSecret> { records.withLock { $0.secret(of: kid) } }
    func splitKeys() -> [HeldSplitKey] { records.withLock { $0.splitKeys() } }
    func lastSequence() -> Int64? { records.withLock { $0.lastSequence() } }
    func hasInstalled(digest: [UInt8]) -> Bool { records.withLock { $0.hasInstalled(digest: digest) } }
    func nextInstallation() -> Int64 { records.withLock { $0.nextInstallation() } }
}
