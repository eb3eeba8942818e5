internal import CryptoPrimitives

/// An anchor in the making. Its file is there before anything names it, and says of itself that it was begun; it goes on to the
/// first number when the store that names it is committed.
final class AnchorFounding {
    private let row: AnchorRow
    private let begun: PreparedAnchor
    private let first: PreparedAnchor
    /// Whether a file is there that nothing names yet.
    private var isBegun = false

    /// Writes the row that names it, to a store that has none.
    init(_ file: AnchorFile, in transaction: RecordTransaction) throws(KeyStoreError) {
        let held = try transaction.insert(
            AnchorRow(path: file.path.string), secret: SymmetricKey(size: .bits256), under: .integrity)
        let (key, store) = (try transaction.anchorKey(of: held), transaction.cipher.store)
        row = held.record
        begun = try file.prepare(row.begunMark(of: store), key, isFirst: true)
        first = try file.prepare(row.mark(of: store), key, isFirst: true)
    }

    deinit { if isBegun { begun.withdraw() } }

    /// Before the commit. What is not kept is taken away again.
    func begin() throws(KeyStoreError) {
        isBegun = true
        try begun.begin()
    }

    /// Leaves the file as it is.
    func keep() { isBegun = false }

    /// After the commit. What cannot be placed now, the next writer will.
    func complete() {
        keep()
        try? first.place()
    }

    /// Whether it is this one that the store names.
    func isNamed(by other: AnchorRow?) -> Bool { other?.mark == row.mark }
}
