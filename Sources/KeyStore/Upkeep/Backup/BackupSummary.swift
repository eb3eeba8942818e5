/// What a backup holds.
public struct BackupSummary: Equatable, Sendable {
    public var role: StoreRole
    /// The identifier of the store it is of.
    public var store: String
    public var accessGroup: String
    /// When it was made, in seconds since 1970.
    public var created: Int64
    /// The rows in it, by the names of their tables.
    public var rows: [String: Int] = [:]
    /// How many rows of this device alone stayed behind; of a backup that is read nobody knows.
    public var staysBehindCount: Int?

    public var rowCount: Int { rows.values.reduce(0, +) }
}
