internal import CryptoPrimitives
internal import EnvelopeFormat
internal import OpenerNSE
internal import Foundation
internal import os

/// The keychain of an iPhone, shared by an app and its extension.
///
/// Each secret is an item of its own, of its own class. What has to be known of all of them is one item, the ledger, which is
/// replaced in one call: secrets are there before the ledger names them, and go after it has forgotten them, so that a kill or a
/// failure at any call leaves the state before or the one after. Writers of all processes exclude each other by a file in the
/// container of the App Group; without one, everything can be read and nothing changed.
struct SecItemKeychain: DeviceKeychain {
    static let lock = "keychain.lock"
    static let ledgerAccount = "ledger"
    /// Pushes arrive on a locked phone.
    static let ownClass = AccessibilityClass.afterFirstUnlockThisDeviceOnly

    let store: SecItemStore
    let directory: ContainerDirectory?
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - group: the access group, with the team's prefix.
    ///   - directory: in the container of the App Group.
    ///   - clock: seconds since 1970, by which ended secrets are erased.
    init(group: String, directory: ContainerDirectory?, log: Logger, clock: @escaping @Sendable () -> Int64 = SystemClock.now) {
        store = SecItemStore(group: group, log: log)
        self.directory = directory
        self.clock = clock
    }

    // MARK: The device

    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint? { try ledger().identity?.thumbprint }

    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey> {
        guard let item = try ledger().identity?.keyItem else { return .absent }
        switch try store.key(item) {
        case .absent: return .absent
        case .locked: return .locked
        case .value(let key):
            do { return .value(try P256.KeyAgreement.PrivateKey(rawRepresentation: key)) } catch {
                throw KeychainUnavailable(reason: "the device key is none")
            }
        }
    }

    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey> {
        guard let item = try ledger().identity?.secretItem else { return .absent }
        return try store.key(item)
    }

    // MARK: Records

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] { try records().epochs(of: handle) }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable) -> [HeldEpoch] {
        try records().epochs(in: conversation, algorithm)
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try records().secret(of: kid)
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] { try records().splitKeys() }

    func lastSequence() throws(KeychainUnavailable) -> Int64? { try records().lastSequence() }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool { try records().hasInstalled(digest: digest) }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 { try records().nextInstallation() }

    private func records() throws(KeychainUnavailable) -> LedgerRecords { LedgerRecords(ledger: try ledger(), store: store) }

    // MARK: Changes

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result {
        try whileLocked { () throws(KeychainUnavailable) in
            let ledger = try ledger()
            let (result, changes) = try body(LedgerRecords(ledger: ledger, store: store))
            if !changes.isEmpty { try commit(changes, to: ledger) }
            return result
        }
    }

    /// Erases what has ended. The app calls it now and then; every change does it as well.
    func eraseEnded() throws(KeychainUnavailable) {
        try whileLocked { () throws(KeychainUnavailable) in
            let ledger = try ledger()
            var erased = ledger
            erased.eraseEnded(now: clock())
            if erased != ledger { try write(erased) }
            removeOrphans(beside: erased)
        }
    }

    private func commit(_ changes: [KeyChange], to ledger: KeychainLedger) throws(KeychainUnavailable) {
        var next = ledger
        for change in changes {
            switch change {
            case .add(let epoch, let secret): try add(epoch, secret, to: &next)
            case .set(let kid, let state, let openUntil):
                guard next.set(kid, state, openUntil: openUntil) else {
                    throw KeychainUnavailable(reason: "epoch \(kid) is not held")
                }
            case .lastSequence(let sequence): next.lastSequence = sequence
            case .installed(let digest): next.add(installed: digest)
            }
        }
        try replace(next)
    }

    /// Writes the next ledger, without what has ended.
    func replace(_ ledger: KeychainLedger) throws(KeychainUnavailable) {
        var next = ledger
        next.eraseEnded(now: clock())
        try write(next)
        removeOrphans(beside: next)
    }

    private func add(_ epoch: HeldEpoch, _ secret: ConversationSecret, to ledger: inout KeychainLedger) throws(KeychainUnavailable) {
        guard let held = ledger.entry(epoch.kid) else {
            // A name of its own: what an earlier attempt left is never mistaken for it.
            let item = UUID().uuidString
            try store.add(item, secret.rawKey, epoch.accessible)
            return ledger.add(epoch, item: item)
        }
        guard held.epoch.conversation == epoch.conversation, held.epoch.algorithm == epoch.algorithm,
            case .value(let known) = try LedgerRecords(ledger: ledger, store: store).secret(of: epoch.kid), known.isSame(as: secret)
        else { throw KeychainUnavailable(reason: "epoch \(epoch.kid) is held with other bytes") }
    }

    // MARK: The ledger

    /// The ledger; an empty one before the first.
    /// - Throws: locked before the first unlock; and where the container tells of an identity that is not in this access group.
    func ledger() throws(KeychainUnavailable) -> KeychainLedger {
        switch try store.data(Self.ledgerAccount, .ledger) {
        case .locked: throw KeychainUnavailable(reason: "the ledger is locked until the first unlock", isLocked: true)
        case .absent:
            guard let mark = directory.flatMap(EnrollmentMark.read) else { return KeychainLedger() }
            store.log.error(
                "-25300 nothing in access group \(store.group, privacy: .public), but this device was enrolled under \(mark.keychainGroup, privacy: .public): compare keychain-access-groups of app and extension, or enroll again after a restore"
            )
            throw KeychainUnavailable(reason: "access group \(store.group) is empty, and a device was enrolled")
        case .value(let data):
            guard let ledger = KeychainLedger(json: Array(data)) else {
                store.log.fault("the ledger in access group \(store.group, privacy: .public) is damaged")
                throw KeychainUnavailable(reason: "the ledger is damaged")
            }
            return ledger
        }
    }

    /// Replaces the ledger, or adds the first one.
    func write(_ ledger: KeychainLedger) throws(KeychainUnavailable) {
        let data = Data(ledger.json)
        if case .absent = try store.data(Self.ledgerAccount, .ledger) {
            try store.add(Self.ledgerAccount, .ledger, data, Self.ownClass)
        } else {
            try store.replace(Self.ledgerAccount, .ledger, data)
        }
    }

    /// Removes secrets that the ledger does not name: ended ones, and what was left by a writer that was killed. What cannot
    /// be removed now is removed after the next change.
    func removeOrphans(beside ledger: KeychainLedger) {
        let named = ledger.items
        for item in (try? store.accounts(.secret)) ?? [] where !named.contains(item) { try? store.remove(item, .secret) }
    }

    /// Runs the body with no other writer, in any process.
    func whileLocked<Result>(_ body: () throws(KeychainUnavailable) -> Result) throws(KeychainUnavailable) -> Result {
        guard let directory else { throw KeychainUnavailable(reason: "there is no container to exclude other writers by") }
        let outcome: Swift.Result<Result, KeychainUnavailable>
        do throws(ContainerError) {
            outcome = try directory.whileLocked(Self.lock) { () throws(ContainerError) in
                do throws(KeychainUnavailable) { return .success(try body()) } catch { return .failure(error) }
            }
        } catch {
            throw KeychainUnavailable(reason: error.description)
        }
        return try outcome.get()
    }
}
