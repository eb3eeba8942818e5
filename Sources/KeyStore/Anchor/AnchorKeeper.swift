/// Keeps a transaction in step with the store's anchor, if it has one (docs/decisions/0011-digest-and-anchor.md).
final class AnchorKeeper {
    private let rules: AccessRules
    /// Whether no file may be written.
    private let isRehearsal: Bool
    /// What is to be placed when the transaction is committed.
    private var prepared: PreparedAnchor?

    init(_ rules: AccessRules, isRehearsal: Bool) {
        self.rules = rules
        self.isRehearsal = isRehearsal
    }

    /// Compares, and goes on to the next number when the transaction changes keys.
    /// - Throws: `.damaged` for a store that is not the one its anchor knows; for a change of keys also when the anchor cannot
    ///   be read or written, as it would go unseen that the change is taken back.
    func step(_ transaction: RecordTransaction) throws(KeyStoreError) {
        guard var held = try transaction.find(AnchorRow.self, AnchorRow.name) else { return }
        let key = try transaction.anchorKey(of: held)
        let file = try AnchorFile(held.record.path, rules)
        let store = transaction.cipher.store
        let standing: AnchorStanding
        do { standing = held.record.standing(to: try file.read(key, store: store)) } catch {
            guard error.kind != .damaged else { throw error }
            guard transaction.isWorthAnchoring else { return }
            throw Self.withHint(error, file.path)
        }
        try standing.require(held.record, file.path.string)
        guard transaction.isWorthAnchoring else { return }
        if standing == .behind, !isRehearsal {
            // Now, so that the anchor is never more than one commit behind.
            do { try file.prepare(held.record.mark(of: store), key).place() } catch { throw Self.withHint(error, file.path) }
        }
        try held.record.step()
        try transaction.update(&held)
        guard !isRehearsal else { return }
        do { prepared = try file.prepare(held.record.mark(of: store), key) } catch { throw Self.withHint(error, file.path) }
    }

    /// After the commit. What cannot be placed now, the next writer will, before anything else; until then `status` tells.
    func place() { try? prepared?.place() }

    /// What to do about an anchor that cannot be read or written.
    /// - Parameters:
    ///   - anchor: the path of its file, which is made anew where it is the file that is not there.
    ///   - condition: what is to be known before.
    static func withHint(
        _ error: KeyStoreError, _ anchor: AbsolutePath, _ condition: String = "nothing was changed; "
    ) -> KeyStoreError {
        let isLost = error.kind == .unavailable && error.subject == anchor.string
        let remedy =
            isLost
            ? "if it is lost: keyctl config set anchor \(HintWord.of(anchor.string)); or name another file, or none"
            : "put right what is wrong; or name another file: keyctl config set anchor FILE"
        return KeyStoreError(error.kind, error.subject, error.reason, hint: condition + remedy)
    }
}

extension AnchorRow {
    func mark(of store: String) -> AnchorMark { AnchorMark(store: store, number: number, value: mark) }

    /// What its file says until the first number is committed.
    func begunMark(of store: String) -> AnchorMark {
        AnchorMark(store: store, number: AnchorMark.begunNumber, value: formerMark ?? [])
    }
}

extension RecordTransaction {
    /// The key of the anchor's MAC.
    func anchorKey(of held: Held<AnchorRow>) throws(KeyStoreError) -> GuardedBytes {
        let secret = try secret(of: held)
        do {
            return try secret.withUnsafeBytes { bytes in
                Result { () throws(SodiumError) in try GuardedBytes(copying: bytes) }
            }.get()
        } catch { throw KeyStoreError(error, held.row.subject) }
    }
}
