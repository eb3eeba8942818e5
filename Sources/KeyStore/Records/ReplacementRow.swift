internal import EnvelopeFormat

/// A device that another takes the place of, or has taken.
struct ReplacementRow: Record {
    static let table = Table.replacement
    let replaced: DeviceThumbprint
    let successor: DeviceThumbprint

    var identifier: String { replaced.string }

    init(replaced: DeviceThumbprint, successor: DeviceThumbprint) {
        self.replaced = replaced
        self.successor = successor
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let replaced = DeviceThumbprint(identifier) else { throw fields.damaged }
        self.replaced = replaced
        successor = try fields.parsed { DeviceThumbprint($0) }
    }

    var values: [FieldValue] { [.text(successor.string)] }
}
