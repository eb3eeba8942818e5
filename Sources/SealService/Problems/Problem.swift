import EnvelopeFormat

/// Why a request was not done, as `application/problem+json` (RFC 9457): safe to log, nothing of the request's content.
struct Problem: Error, Equatable, Sendable {
    static let contentType = "application/problem+json"
    private static let typePrefix = "urn:waxwing:problem:"

    let kind: ProblemKind
    /// The member, header or thing at fault; nil where the detail says it.
    let subject: String?
    let detail: String
    /// What to do, for the operator of the service.
    let hint: String?

    init(_ kind: ProblemKind, _ subject: String? = nil, _ detail: String, hint: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
        self.hint = hint
    }

    var json: JSONValue {
        var members = [
            JSONMember("type", .string(Self.typePrefix + kind.rawValue)), JSONMember("title", .string(kind.title)),
            JSONMember("status", .integer(kind.status)), JSONMember("detail", .string(subject.map { "\($0): \(detail)" } ?? detail)),
        ]
        if let subject { members.append(JSONMember("subject", .string(subject))) }
        if let hint { members.append(JSONMember("hint", .string(hint))) }
        return .object(members)
    }

    func answer(_ headers: [(name: String, value: String)] = []) -> HTTPAnswer {
        var answer = HTTPAnswer(kind.status, json.write(), contentType: Self.contentType)
        answer.headers = headers + (kind.retryAfter.map { [("Retry-After", "\($0)")] } ?? [])
        answer.problem = kind.rawValue
        return answer
    }
}
