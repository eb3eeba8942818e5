import KeyStore

extension Invocation {
    /// The file that something is written to: one that is not there yet. With `--dry-run` none is made, and it is refused all the same
    /// where it could not be.
    /// - Parameter path: nil where nothing is written to a file.
    /// - Throws: `usage` for `-`, ``KeyStoreError`` for a file that is there or cannot be made.
    func newFile(_ path: String?) throws -> NewFile? {
        guard let path else { return nil }
        guard path != "-" else { throw usage("- is no new file: name one") }
        guard isDryRun else { return try NewFile(creating: path) }
        try NewFile.requireAbsent(at: path)
        return nil
    }
}
