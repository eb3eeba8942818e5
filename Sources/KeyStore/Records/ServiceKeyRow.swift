/// A key of the store's own.
struct ServiceKeyRow: Record {
    enum Purpose: String, Sendable {
        /// From an idempotency key to a message identifier.
        case idempotency
        /// The seed of the key that signs checkpoints of the audit log.
        case checkpoint
    }

    static let table = Table.serviceKey
    let purpose: Purpose
    let created: Int64

    var identifier: String { purpose.rawValue }

    init(purpose: Purpose, created: Int64) {
        self.purpose = purpose
        self.created = created
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let purpose = Purpose(rawValue: identifier) else { throw fields.damaged }
        self.purpose = purpose
        created = try fields.integer()
    }

    var values: [FieldValue] { [.integer(created)] }
}
