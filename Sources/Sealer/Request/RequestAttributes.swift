public import EnvelopeFormat

/// The members of `aps` that a request may set, by their names in a request.
public struct RequestAttributes: Sendable, Equatable {
    /// Names in a request and in `aps`.
    private static let names = [
        ("sound", "sound"), ("badge", "badge"), ("category", "category"), ("thread_id", "thread-id"),
        ("interruption_level", "interruption-level"), ("relevance_score", "relevance-score"),
    ]

    /// Members of `aps`.
    let members: [JSONMember]

    public init() { members = [] }

    /// Reads `{sound, badge, category, thread_id, interruption_level, relevance_score}`.
    /// - Throws: ``FormatError`` naming an unknown member; values are judged when the payload is rendered.
    public init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "aps", Self.names.map(\.0))
        members = Self.names.compactMap { name in reader.value(name.0).map { JSONMember(name.1, $0) } }
    }
}
