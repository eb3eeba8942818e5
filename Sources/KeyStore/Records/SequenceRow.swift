internal import EnvelopeFormat

/// The last bundle sequence number of a thumbprint. It stays when the device goes, and is never set back. In a restored store
/// one row more has the number that all are above (``SequenceFloor``).
struct SequenceRow: Record {
    static let table = Table.sequence
    /// What the floor is called, which is of no thumbprint.
    static let floorName = "floor"

    /// Nil for the floor.
    let thumbprint: DeviceThumbprint?
    var last: Int64

    var identifier: String { thumbprint?.string ?? Self.floorName }

    init(thumbprint: DeviceThumbprint?, last: Int64) {
        self.thumbprint = thumbprint
        self.last = last
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        thumbprint = DeviceThumbprint(identifier)
        guard thumbprint != nil || identifier == Self.floorName else { throw fields.damaged }
        last = try fields.integer()
    }

    var values: [FieldValue] { [.integer(last)] }
}
