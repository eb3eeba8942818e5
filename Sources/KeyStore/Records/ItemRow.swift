internal import CryptoPrimitives

/// A generic password; its class is that of the wrapped value.
struct ItemRow: Record {
    static let table = Table.item
    let service: String
    let account: String
    var label: String
    let created: Int64
    var modified: Int64

    init(service: String, account: String, label: String, created: Int64) {
        self.service = service
        self.account = account
        self.label = label
        self.created = created
        modified = created
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        service = try fields.text()
        account = try fields.text()
        label = try fields.text()
        created = try fields.integer()
        modified = try fields.integer()
        guard identifier == self.identifier else { throw fields.damaged }
    }

    var identifier: String { Self.identifier(service: service, account: account) }

    /// SHA-256 of both names, so that any bytes may be in them and none of them runs into the other.
    static func identifier(service: String, account: String) -> String {
        var names = AssociatedData("waxwing key store 1: item")
        names.append(service)
        names.append(account)
        return Hexadecimal.encode(Array(SHA256.hash(data: names.bytes)))
    }

    /// What errors and the audit log call an item: by its names, which are no secret; never by what it holds.
    static func subject(_ service: String, _ account: String) -> String { "item \(service)/\(account)" }

    var values: [FieldValue] {
        [.text(service), .text(account), .text(label), .integer(created), .integer(modified)]
    }
}
