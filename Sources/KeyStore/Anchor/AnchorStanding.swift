/// How a store stands to its anchor.
enum AnchorStanding: Equatable {
    /// They say the same.
    case holds
    /// The last commit is not written to the anchor yet: its writer was killed, or is about to.
    case behind
    /// The anchor knows of a commit that the store does not.
    case older(anchored: Int64)
    /// The store's commit of that number was another, or is one that it cannot have had: it has a past that is not its own.
    case apart

    /// - Throws: `.damaged` for a store that is not the one its anchor knows.
    func require(_ row: AnchorRow, _ path: String) throws(KeyStoreError) {
        let reason: String
        switch self {
        case .holds, .behind: return
        case .older(let anchored):
            reason = "it is older than its anchor \(path) says: commit \(row.number), and \(anchored) was anchored"
        case .apart:
            reason = "it and its anchor \(path) have not the same past: one of them was put back from a copy"
        }
        throw KeyStoreError(.damaged, "store", reason, hint: Self.hint)
    }

    static let hint = "if it was put back on purpose: keyctl config set anchor none"

    /// A backup of such a store is the way to go on with what is in it (docs/operations.md).
    static let backupHint =
        "to go on with what is in it: keyctl config set anchor none, repeat the backup, and restore it in place of this store"

    /// The error with what to do when it was a backup that was refused.
    static func ofBackup(_ error: KeyStoreError) -> KeyStoreError {
        guard error.hint == hint else { return error }
        return KeyStoreError(error.kind, error.subject, error.reason, hint: backupHint)
    }
}
