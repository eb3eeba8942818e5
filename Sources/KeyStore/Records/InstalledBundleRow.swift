/// The digest of a bundle that a device installed, so that the same bytes again are no news.
struct InstalledBundleRow: Record {
    static let table = Table.installedBundle
    /// SHA-256 in hexadecimal digits.
    let identifier: String
    let sequence: Int64
    let installed: Int64

    init(digest: [UInt8], sequence: Int64, installed: Int64) {
        identifier = Hexadecimal.encode(digest)
        self.sequence = sequence
        self.installed = installed
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        sequence = try fields.integer()
        installed = try fields.integer()
    }

    var values: [FieldValue] { [.integer(sequence), .integer(installed)] }
}
