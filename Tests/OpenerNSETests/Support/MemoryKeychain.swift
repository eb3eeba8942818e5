import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// A keychain in memory behind a lock.
final class MemoryKeychain: DeviceKeychain {
    private let records = Mutex(MemoryRecords())
    let key = P256.KeyAgreement.PrivateKey()
    let enrollment = SymmetricKey(data: [UInt8](repeating: 0x5A, count: 32))
    /// Whether there is a device key at all.
    private let hasDevice: Bool

    init(hasDevice: Bool = true) { self.hasDevice = hasDevice }

    var snapshot: [String] { records.withLock { $0.snapshot } }
    var calls: Int { records.withLock { $0.calls } }

    func change(_ body: (inout MemoryRecords) -> Void) { records.withLock { body(&$0) } }

    func held(_ kid: KeyIdentifier) -> HeldEpoch? {
        records.withLock { records in records.epochs.first { $0.epoch.kid == kid }?.epoch }
    }

    func heldEpochs(_ handle: Handle) -> [Int] {
        records.withLock { records in
            records.epochs.map(\.epoch.kid).filter { $0.handle == handle }.map(\.epoch).sorted()
        }
    }

    private func device<Value: Sendable>(_ value: Value) throws(KeychainUnavailable) -> Held<Value> {
        try records.withLock { records throws(KeychainUnavailable) in
            try records.call()
            guard hasDevice else { return .absent }
            return records.deviceClass.isReadable(in: records.lock) ? .value(value) : .locked
        }
    }

    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint? {
        try records.withLock { records throws(KeychainUnavailable) in
            try records.call()
            return hasDevice ? DeviceThumbprint(of: key.publicKey) : nil
        }
    }

    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey> { try device(key) }
    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey> { try device(enrollment) }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result {
        try records.withLock { records throws(KeychainUnavailable) in
            try records.call()
            let view = MemoryView(records)
            defer { records.calls = view.records.calls }
            let (result, changes) = try body(view)
            // A commit can fail as well.
            if !changes.isEmpty { try view.records.call() }
            for change in changes { records.apply(change) }
            return result
        }
    }

    private func view<Value>(
        _ body: (MemoryView) throws(KeychainUnavailable) -> Value
    ) throws(KeychainUnavailable) -> Value {
        try records.withLock { records throws(KeychainUnavailable) in
            let view = MemoryView(records)
            defer { records.calls = view.records.calls }
            return try body(view)
        }
    }

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try view { view throws(KeychainUnavailable) in try view.epochs(of: handle) }
    }
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try view { view throws(KeychainUnavailable) in try view.epochs(in: conversation, algorithm) }
    }
    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try view { view throws(KeychainUnavailable) in try view.secret(of: kid) }
    }
    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        try view { view throws(KeychainUnavailable) in try view.splitKeys() }
    }
    func lastSequence() throws(KeychainUnavailable) -> Int64? {
        try view { view throws(KeychainUnavailable) in try view.lastSequence() }
    }
    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool {
        try view { view throws(KeychainUnavailable) in try view.hasInstalled(digest: digest) }
    }
    func nextInstallation() throws(KeychainUnavailable) -> Int64 {
        try view { view throws(KeychainUnavailable) in try view.nextInstallation() }
    }
}

/// The records as they are while the keychain is locked for one caller.
private final class MemoryView: KeychainRecords {
    var records: MemoryRecords

    init(_ records: MemoryRecords) { self.records = records }

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try records.call()
        return records.epochs.map(\.epoch).filter { $0.kid.handle == handle }
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try records.call()
        return records.epochs.map(\.epoch).filter { $0.conversation == conversation && $0.algorithm == algorithm }
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try records.call()
        guard let item = records.epochs.first(where: { $0.epoch.kid == kid }) else { return .absent }
        return item.epoch.accessible.isReadable(in: records.lock) ? .value(item.secret) : .locked
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        try records.call()
        return records.splits.map {
            HeldSplitKey(
                state: $0.state, openUntil: $0.openUntil,
                key: $0.accessible.isReadable(in: records.lock) ? .value($0.key) : .locked)
        }
    }

    func lastSequence() throws(KeychainUnavailable) -> Int64? {
        try records.call()
        return records.lastSequence
    }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool {
        try records.call()
        return records.digests.contains(digest)
    }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 {
        try records.call()
        return (records.epochs.map(\.epoch.installation).max() ?? -1) + 1
    }
}
