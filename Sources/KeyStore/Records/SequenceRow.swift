internal import EnvelopeFormat

/// The last bundle sequence number of a thumbprint. It stays when the device goes, and is never set back.
struct SequenceRow: Record {
    static let table = Table.sequence
    let thumbprint: DeviceThumbprint
    var last: Int64

    var identifier: String { thumbprint.string }

    init(thumbprint: DeviceThumbprint, last: Int64) {
        self.thumbprint = thumbprint
        self.last = last
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let thumbprint = DeviceThumbprint(identifier) else { throw fields.damaged }
        self.thumbprint = thumbprint
        last = try fields.integer()
    }

    var values: [FieldValue] { [.integer(last)] }
}
