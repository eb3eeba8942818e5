internal import EnvelopeFormat

/// One half of a device's identity; its secret is the key or the enrollment secret.
struct IdentityRow: Record {
    enum Part: String, Sendable, CaseIterable {
        case deviceKey = "device-key"
        case enrollmentSecret = "enrollment-secret"
    }

    static let table = Table.identity
    let part: Part
    let thumbprint: DeviceThumbprint
    let name: String
    /// The uncompressed point, 65 bytes.
    let publicKey: [UInt8]
    let created: Int64

    var identifier: String { part.rawValue }

    init(part: Part, thumbprint: DeviceThumbprint, name: String, publicKey: [UInt8], created: Int64) {
        self.part = part
        self.thumbprint = thumbprint
        self.name = name
        self.publicKey = publicKey
        self.created = created
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let part = Part(rawValue: identifier) else { throw fields.damaged }
        self.part = part
        thumbprint = try fields.parsed { DeviceThumbprint($0) }
        name = try fields.text()
        publicKey = try fields.blob()
        created = try fields.integer()
    }

    var values: [FieldValue] { [.text(thumbprint.string), .text(name), .blob(publicKey), .integer(created)] }
}
