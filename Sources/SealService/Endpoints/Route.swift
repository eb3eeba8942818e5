/// One endpoint.
struct Route: Sendable {
    /// A segment of the path: as it stands, or any, which the endpoint is given.
    enum Segment: Sendable, Equatable {
        case word(String)
        case any(String)
    }

    let method: String
    /// As documents write it, with `{names}`; what logs and metrics say instead of the path.
    let template: String
    let segments: [Segment]
    /// What a caller needs; nil where anybody may ask.
    let scope: Scope?
    let takesBody: Bool
    /// The members of the query it knows.
    let query: [String]
    let endpoint: any Endpoint

    init(_ method: String, _ template: String, _ scope: Scope?, query: [String] = [], body: Bool = false, _ endpoint: any Endpoint) {
        self.method = method
        self.template = template
        self.scope = scope
        self.query = query
        self.endpoint = endpoint
        takesBody = body
        segments = template.split(separator: "/").map { part in
            part.hasPrefix("{") ? .any(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// What the path gives for `{names}`; nil where it is another endpoint's.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .word(let word): guard text.utf8.elementsEqual(word.utf8) else { return nil }
            case .any(let name):
                guard !text.isEmpty else { return nil }
                values[name] = text
            }
        }
        return values
    }
}
