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
}
