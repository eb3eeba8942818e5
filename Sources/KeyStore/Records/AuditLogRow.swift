/// Where the audit log stands; its secret is the key of the next entry's MAC.
struct AuditLogRow: Record {
    static let name = "log"

    static let table = Table.auditLog
    let identifier = AuditLogRow.name
    /// 32 hexadecimal digits, drawn when the log was begun.
    let log: String
    let created: Int64
    /// Ed25519, 32 bytes.
    let checkpointKey: [UInt8]
    private(set) var entries: Int64 = 0
    /// The hash of the last entry; before the first, that of the log itself.
    private(set) var head: [UInt8]

    init(log: String, created: Int64, checkpointKey: [UInt8], head: [UInt8]) {
        self.log = log
        self.created = created
        self.checkpointKey = checkpointKey
        self.head = head
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        log = try fields.text()
        created = try fields.integer()
        checkpointKey = try fields.blob()
        entries = try fields.integer()
        head = try fields.blob()
        guard identifier == Self.name, log.utf8.count == 32, checkpointKey.count == SigningKey.publicKeyByteCount,
            (0...AuditEntryRow.lastNumber).contains(entries), head.count == UnkeyedDigest.byteCount
        else { throw fields.damaged }
    }

    var values: [FieldValue] {
        [.text(log), .integer(created), .blob(checkpointKey), .integer(entries), .blob(head)]
    }

    /// Takes the next entry in.
    mutating func append(_ hash: [UInt8]) {
        entries += 1
        head = hash
    }
}
