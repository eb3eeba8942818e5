internal import CryptoPrimitives
public import EnvelopeFormat

/// What a device holds, inside one transaction: read, judged and changed with nobody between.
public final class DeviceTransaction {
    let rows: RecordTransaction
    let now: Int64
    /// Whether rows can be believed: false before the first unlock, when nothing can be opened either.
    let isAuthenticated: Bool

    init(_ rows: RecordTransaction, now: Int64) throws(KeyStoreError) {
        self.rows = rows
        self.now = now
        isAuthenticated = try rows.cipher.keys.key(.integrity) != nil
    }

    /// The epochs held of a handle, lowest first.
    public func heldEpochs(handle: Handle) throws(KeyStoreError) -> [HeldEpochRecord] {
        try records([.equal("handle", handle.string)])
    }

    /// The epochs held of a conversation under an algorithm, in the order of installation, lowest epoch first.
    public func heldEpochs(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm
    ) throws(KeyStoreError) -> [HeldEpochRecord] {
        try records([.equal("conversation", conversation.string), .equal("algorithm", algorithm.rawValue)])
    }

    /// Every epoch held.
    public func heldEpochs() throws(KeyStoreError) -> [HeldEpochRecord] { try records([]) }

    /// The sequence number of the last bundle installed, 0 before the first.
    public func lastSequence() throws(KeyStoreError) -> Int64 { try state().record.lastSequence }

    /// The order that the next handle to be installed will have.
    public func nextInstallOrder() throws(KeyStoreError) -> Int64 { try state().record.nextOrder }

    /// Whether that very bundle was installed before.
    /// - Parameter digest: SHA-256 of its bytes.
    public func isInstalled(bundleDigest digest: [UInt8]) throws(KeyStoreError) -> Bool {
        try rows.find(InstalledBundleRow.self, Hexadecimal.encode(digest)) != nil
    }

    // MARK: Changes

    /// Keeps an epoch. The same bytes under the same name again are success and change nothing.
    /// - Throws: `.conflict` for other bytes, `.locked` when its class cannot be written now.
    public func add(_ record: HeldEpochRecord, secret: ConversationSecret) throws(KeyStoreError) {
        rows.attempt = AuditNote(.epochKeep, "conversation \(record.conversation)", kid: record.kid)
        guard Cryptoperiod.times.contains(record.installOrder) else {
            throw KeyStoreError(.badInput, "epoch \(record.kid)", "its install order is out of range")
        }
        if let held = try rows.find(HeldEpochRow.self, record.kid.description) {
            guard held.hasSecret, held.record.conversation == record.conversation,
                held.record.algorithm == record.algorithm, constantTimeEqual(try rows.secret(of: held), secret.rawKey)
            else {
                throw KeyStoreError(.conflict, "epoch \(record.kid)", "it is held with other bytes")
            }
            rows.attempt = nil
            return
        }
        try KeychainRows(rows).requireWritable(record.accessible, "epoch \(record.kid)")
        try rows.insert(
            HeldEpochRow(
                kid: record.kid, conversation: record.conversation, algorithm: record.algorithm,
                accessible: record.accessible, state: record.state, openUntil: record.openUntil,
                installOrder: record.installOrder, added: now),
            secret: secret.rawKey, under: ClassKeyName(record.accessible))
        var state = try state()
        if state.record.nextOrder <= record.installOrder {
            state.record.nextOrder = record.installOrder + 1
            try rows.update(&state)
        }
        rows.noteKeyChange()
        rows.audit(.epochKeep, "conversation \(record.conversation)", kid: record.kid)
        rows.attempt = nil
    }

    /// Sets until when an epoch opens.
    public func setOpenUntil(_ time: Int64?, of kid: KeyIdentifier) throws(KeyStoreError) {
        try change(kid) { (held) throws(KeyStoreError) in
            guard held.record.openUntil != time else { return }
            held.record.openUntil = time
            let end = time.map { "until \($0)" } ?? "without an end"
            rows.audit(.keyState, held.record.subject, kid: kid, reason: "opens \(end)")
        }
    }

    /// Moves an epoch to another state.
    /// - Throws: `.refused` for a move that ``KeyStateMoves`` has not.
    public func setState(_ state: KeyState, of kid: KeyIdentifier) throws(KeyStoreError) {
        rows.attempt = AuditNote(.keyState, "epoch \(kid)", kid: kid)
        try change(kid) { (held) throws(KeyStoreError) in try held.record.move(to: state, in: rows) }
        rows.attempt = nil
    }

    /// Erases the bytes of an epoch; its name stays known.
    public func eraseSecret(of kid: KeyIdentifier) throws(KeyStoreError) {
        guard var held = try rows.find(HeldEpochRow.self, kid.description), held.hasSecret else { return }
        try rows.shred(&held)
        rows.audit(.destroy, held.record.subject, kid: kid, reason: "its bytes were erased")
    }

    /// Erases an epoch, its name too. One that is not held is no error.
    public func remove(_ kid: KeyIdentifier) throws(KeyStoreError) {
        guard let held = try rows.find(HeldEpochRow.self, kid.description) else { return }
        try rows.delete(held)
        rows.noteKeyChange()
        rows.audit(.destroy, held.record.subject, kid: kid, reason: "it was erased, its name too")
    }

    /// Only ever upwards.
    /// - Throws: `.refused` when it is not above the last.
    public func setLastSequence(_ sequence: Int64) throws(KeyStoreError) {
        rows.attempt = AuditNote(.accept, "bundle \(sequence)")
        var state = try state()
        guard sequence > state.record.lastSequence else {
            throw KeyStoreError(.refused, "bundle sequence", "it only goes up")
        }
        state.record.lastSequence = sequence
        try rows.update(&state)
        rows.audit(.accept, "bundle \(sequence)")
        rows.attempt = nil
    }

    /// Remembers a bundle as installed.
    /// - Parameter digest: SHA-256 of its bytes.
    public func rememberInstalled(bundleDigest digest: [UInt8], sequence: Int64) throws(KeyStoreError) {
        guard try !isInstalled(bundleDigest: digest) else { return }
        try rows.insert(InstalledBundleRow(digest: digest, sequence: sequence, installed: now))
    }

    /// Begins anew with bundles, for a new identity: their numbers are those of a thumbprint, and what the store was restored of
    /// had another.
    func forgetBundles() throws(KeyStoreError) {
        var state = try state()
        state.record.lastSequence = 0
        if state.record.values != state.row.values { try rows.update(&state) }
        for bundle in try rows.all(InstalledBundleRow.self) { try rows.delete(bundle) }
    }

    func state() throws(KeyStoreError) -> Held<DeviceStateRow> {
        guard let state = try rows.find(DeviceStateRow.self, DeviceStateRow.name) else {
            throw KeyStoreError(.damaged, "row device_state/device", "it is not there")
        }
        return state
    }

    private func change(
        _ kid: KeyIdentifier, _ body: (inout Held<HeldEpochRow>) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) {
        guard var held = try rows.find(HeldEpochRow.self, kid.description) else {
            throw KeyStoreError(.notFound, "epoch \(kid)", "it is not held")
        }
        try body(&held)
        guard held.record.values != held.row.values else { return }
        try rows.update(&held)
        rows.noteKeyChange()
    }

    /// Names and times can be read when nothing is unlocked yet; they cannot be believed then, and open nothing.
    private func records(_ matches: [Match]) throws(KeyStoreError) -> [HeldEpochRecord] {
        var records: [HeldEpochRecord] = []
        for row in try rows.storage.rows(.heldEpoch, matches, limit: nil) {
            if isAuthenticated { try rows.cipher.check(row) }
            let held = try Held<HeldEpochRow>(row)
            records.append(
                HeldEpochRecord(
                    conversation: held.record.conversation, algorithm: held.record.algorithm, kid: held.record.kid,
                    state: held.record.state, openUntil: held.record.openUntil, accessible: held.record.accessible,
                    installOrder: held.record.installOrder, secret: secret(of: held)))
        }
        return records.sorted { ($0.installOrder, $0.kid.epoch) < ($1.installOrder, $1.kid.epoch) }
    }

    private func secret(of held: Held<HeldEpochRow>) -> Reading<ConversationSecret> {
        guard held.hasSecret else { return .absent }
        guard isAuthenticated else { return .locked }
        return Reading { () throws(KeyStoreError) in
            do { return try ConversationSecret(try rows.secret(of: held)) } catch let error as KeyStoreError {
                throw error
            } catch {
                throw KeyStoreError(.damaged, held.row.subject, "its secret is of another length")
            }
        }
    }
}
