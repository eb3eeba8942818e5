internal import EnvelopeFormat

/// When a handle was used last, as far as leases tell it.
struct HandleUseRow: Record {
    static let table = Table.handleUse
    let handle: Handle
    /// The latest time at which something may have been sealed under it; nil for never.
    var lastUse: Int64?

    var identifier: String { handle.string }

    init(handle: Handle) { self.handle = handle }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let handle = Handle(identifier) else { throw fields.damaged }
        self.handle = handle
        lastUse = try fields.optionalInteger()
    }

    var values: [FieldValue] { [FieldValue(lastUse)] }
}
