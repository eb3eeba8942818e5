internal import EnvelopeFormat

/// The seal counter of one epoch: made with it, gone with it.
struct LeaseRow: Record {
    static let table = Table.lease
    let kid: KeyIdentifier
    /// How many seals were leased; the next lease begins here.
    var granted: Int64
    var grantedAt: Int64?

    var identifier: String { kid.description }

    init(kid: KeyIdentifier) {
        self.kid = kid
        granted = 0
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let kid = KeyIdentifier(identifier), try fields.text() == kid.handle.string else { throw fields.damaged }
        self.kid = kid
        granted = try fields.integer()
        grantedAt = try fields.optionalInteger()
        guard granted >= 0 else { throw fields.damaged }
    }

    var values: [FieldValue] { [.text(kid.handle.string), .integer(granted), FieldValue(grantedAt)] }
}
