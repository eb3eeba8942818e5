/// Who asks, as far as the service can tell.
public struct Caller: Sendable, Equatable {
    /// `uid 1000`, `token NAME`, `client NAME`: for logs, and so that two callers' idempotency keys never meet.
    public let name: String
    public let scopes: Set<Scope>
}
