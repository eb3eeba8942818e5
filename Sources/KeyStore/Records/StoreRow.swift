/// The store itself. The fixed half is read before anything is unlocked, and found true or false once it is.
struct StoreRow: Record {
    /// What an operator stopped; on a device store the session alone decides.
    enum Stopped: Int64, Sendable {
        case no = 0
        case locked = 1
        case restarted = 2
    }

    static let table = Table.store
    let identifier: String
    let role: StoreRole
    let accessGroup: String
    let created: Int64
    /// The absolute path of the key file of a sealer store.
    var keyFile: String?
    let unixGroup: Int64?
    let owner: Int64
    var defaults: [UInt8]
    var stopped: Stopped

    init(
        identifier: String, role: StoreRole, accessGroup: String, created: Int64, keyFile: String?, unixGroup: Int64?,
        owner: Int64, defaults: [UInt8]
    ) {
        self.identifier = identifier
        self.role = role
        self.accessGroup = accessGroup
        self.created = created
        self.keyFile = keyFile
        self.unixGroup = unixGroup
        self.owner = owner
        self.defaults = defaults
        stopped = .no
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        role = try fields.word()
        accessGroup = try fields.text()
        created = try fields.integer()
        keyFile = try fields.optionalText()
        unixGroup = try fields.optionalInteger()
        owner = try fields.integer()
        defaults = try fields.blob()
        guard let stopped = Stopped(rawValue: try fields.integer()) else { throw fields.damaged }
        self.stopped = stopped
    }

    var values: [FieldValue] {
        [
            .text(role.rawValue), .text(accessGroup), .integer(created), FieldValue(keyFile), FieldValue(unixGroup),
            .integer(owner), .blob(defaults), .integer(stopped.rawValue),
        ]
    }
}
