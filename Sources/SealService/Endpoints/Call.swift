import EnvelopeFormat

/// A request as its endpoint sees it.
struct Call: Sendable {
    let caller: Caller
    /// What the path gives.
    let path: [String: String]
    let query: [String: String]
    let body: RequestBody
    /// Seconds since 1970.
    let now: Int64

    /// The body as strict JSON.
    /// - Throws: ``Problem`` `malformed`.
    func json() throws(Problem) -> JSONValue {
        do {
            return try body.withBytes { (bytes) throws(FormatError) in try JSONValue.parse(bytes) }
        } catch { throw Problem(.malformed, error.field, error.reason) }
    }

    /// A segment of the path that the route has.
    func segment(_ name: String) -> String { path[name] ?? "" }

    /// The conversation that the path names.
    func conversation() throws(FormatError) -> ConversationIdentifier { try ConversationIdentifier(segment("conversation")) }
}
