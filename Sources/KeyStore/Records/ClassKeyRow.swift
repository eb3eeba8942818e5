internal import EnvelopeFormat

/// A class key wrapped under the key-encryption key of a slot.
struct ClassKeyRow: Record {
    static let table = Table.classKey
    let slot: String
    let name: ClassKeyName
    /// Counts the class keys of that name, from 1.
    let version: Int64
    /// Empty for a key that is gone, whose number no later one is to have.
    let wrap: [UInt8]

    var isGone: Bool { wrap.isEmpty }
    var identifier: String { "\(slot)/\(name.rawValue)/\(version)" }

    init(slot: String, name: ClassKeyName, version: Int64, wrap: [UInt8]) {
        self.slot = slot
        self.name = name
        self.version = version
        self.wrap = wrap
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        slot = try fields.text()
        name = try fields.word()
        version = try fields.integer()
        wrap = try fields.blob()
        guard self.identifier.isSame(as: identifier) else { throw fields.damaged }
    }

    var values: [FieldValue] { [.text(slot), .text(name.rawValue), .integer(version), .blob(wrap)] }
}
