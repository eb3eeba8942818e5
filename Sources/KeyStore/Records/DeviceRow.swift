internal import EnvelopeFormat

/// An enrolled device; its secret is the enrollment secret.
struct DeviceRow: Record {
    static let table = Table.device
    let thumbprint: DeviceThumbprint
    let name: String
    /// The uncompressed point, 65 bytes.
    let publicKey: [UInt8]
    let enrolled: Int64
    /// Whether its removal has begun: its conversations refuse to seal until it is complete.
    var isBeingRemoved = false

    var identifier: String { thumbprint.string }

    init(thumbprint: DeviceThumbprint, name: String, publicKey: [UInt8], enrolled: Int64) {
        self.thumbprint = thumbprint
        self.name = name
        self.publicKey = publicKey
        self.enrolled = enrolled
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let thumbprint = DeviceThumbprint(identifier) else { throw fields.damaged }
        self.thumbprint = thumbprint
        name = try fields.text()
        publicKey = try fields.blob()
        enrolled = try fields.integer()
        isBeingRemoved = try fields.bool()
    }

    var values: [FieldValue] { [.text(name), .blob(publicKey), .integer(enrolled), FieldValue(isBeingRemoved)] }
}
