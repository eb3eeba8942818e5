/// What a migration did to a store.
public struct MigrationReport: Equatable, Sendable {
    public let role: StoreRole
    public let identifier: String
    public let accessGroup: String
    public let schemaBefore: Int
    public let schemaAfter: Int
    /// The migrations that were applied, by the names of their files: "0003_digest".
    public let applied: [String]
}
