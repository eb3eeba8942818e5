public import EnvelopeFormat

/// A file of known-answer cases of the format `waxwing-cases/1`: keys, times and randomness are given in the file, no store is touched.
public struct CaseFile: Sendable {
    static let format = "waxwing-cases/1"
    /// Deeper than a message may be, since a file holds messages.
    private static let maximumDepth = 64

    private let outline: JSONOutline
    private let rings: JSONValue
    private let cases: [Range<Int>]
    /// How many say what is expected.
    private var expecting = 0

    /// - Throws: ``FormatError`` for what is not a file of this format: also where its `count` is missing or another, there is no case, an
    ///   `id` is missing or there twice, an `expect` is no object, or the file or a case has a member that the format does not name.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        let outline = JSONOutline(bytes)
        self.outline = outline
        guard let whole = outline.whole else { throw FormatError(field: "case file", reason: "not one whole object of JSON") }
        func member(_ name: String) throws(FormatError) -> JSONValue? {
            guard let range = outline.member(name, of: whole) else { return nil }
            return try outline.value(range, maximumDepth: Self.maximumDepth)
        }
        guard let format = try member("format")?.text, format.isSame(as: Self.format) else {
            throw FormatError(field: "format", reason: "not \(Self.format)")
        }
        rings = try member("rings") ?? .object([])
        guard let cases = outline.member("cases", of: whole).flatMap({ outline.elements($0) }) else {
            throw FormatError(field: "cases", reason: "not an array")
        }
        self.cases = cases
        try CaseMembers.check(try outline.names(whole), CaseMembers.file)
        guard try member("count")?.plainInteger == Int64(cases.count) else {
            throw FormatError(field: "count", reason: "not \(cases.count), as many cases as there are")
        }
        guard !cases.isEmpty else { throw FormatError(field: "cases", reason: "there is none") }
        var seen = Set<String>()
        for range in cases {
            let identifier = try identifier(range)
            func damaged(_ field: String, _ reason: String) -> FormatError {
                FormatError(field: "case \(identifier), \(field)", reason: reason)
            }
            guard seen.insert(identifier).inserted else { throw damaged("id", "there twice") }
            do throws(FormatError) {
                try CaseMembers.check(try outline.names(range), ofKind: Self.kind(outline, range))
            } catch {
                throw damaged(error.field, error.reason)
            }
            guard let expect = outline.member("expect", of: range) else { continue }
            guard outline.isObject(expect) else { throw damaged("expect", "not an object") }
            expecting += 1
        }
    }

    /// Answers every case in order. A case that cannot be read is answered with `unreadable`, counts as failed, and keeps
    /// nobody from the cases after it.
    ///
    /// - Parameter emit: is given one answer, an object of JSON, at a time.
    /// - Returns: how many were answered, and where the file says what is expected how many matched.
    /// - Throws: ``FormatError`` for a case without an `id`.
    public func run(_ emit: (JSONValue) -> Void) throws(FormatError) -> CaseSummary {
        var summary = CaseSummary(unheld: expecting > 0 ? cases.count - expecting : 0)
        for range in cases {
            let identifier = try identifier(range)
            let answer: [JSONMember]
            do {
                let json: JSONValue
                do { json = try outline.value(range, maximumDepth: Self.maximumDepth) } catch {
                    json = try unsealable(range, error)
                }
                answer = try self.answer(json)
                summary.count(identifier, answer: .object(answer), json: json)
            } catch {
                answer = [
                    JSONMember("outcome", .string("unreadable")), JSONMember("reason", .string(error.description)),
                ]
                summary.count(unreadable: identifier)
            }
            emit(.object([JSONMember("id", .string(identifier))] + answer))
        }
        return summary
    }

    private func identifier(_ range: Range<Int>) throws(FormatError) -> String {
        guard let value = outline.member("id", of: range), let text = try outline.value(value, maximumDepth: 1).text else {
            throw FormatError(field: "id", reason: "missing or not a string")
        }
        return text
    }

    /// A case that is not strict JSON, when it is about sealing: then it is bad input, and says so. What it expects stays.
    /// - Throws: the error for any other.
    private func unsealable(_ range: Range<Int>, _ error: FormatError) throws(FormatError) -> JSONValue {
        guard let kind = outline.member("kind", of: range), let value = try? outline.value(kind, maximumDepth: 1),
            value == .string("seal") || value == .string("bundle-seal")
        else { throw error }
        var members = [JSONMember("kind", value)]
        if let expect = outline.member("expect", of: range),
            let value = try? outline.value(expect, maximumDepth: Self.maximumDepth)
        {
            members.append(JSONMember("expect", value))
        }
        return .object(members)
    }

    private func answer(_ json: JSONValue) throws(FormatError) -> [JSONMember] {
        switch Self.kind(json) {
        case "seal": return CaseSealing.payload(json["seal"] ?? .null)
        case "bundle-seal": return CaseSealing.bundle(json["seal_bundle"] ?? .null)
        case "derive": return try CaseDerivation.answer(json["derive"] ?? .null)
        case "enroll": return try CaseEnrollment.answer(json)
        case "open", "bundle":
            let device = try CaseDevice(rings[try Self.text(json, "ring")] ?? .null)
            var before: [JSONValue] = []
            if case .array(let steps)? = json["before"] {
                for step in steps {
                    try CaseMembers.check(step, CaseMembers.step, "before")
                    before.append(.string(try device.take(step).outcome.rawValue))
                }
            }
            var answer = try device.take(json).answer
            if !before.isEmpty { answer.append(JSONMember("before", .array(before))) }
            if Self.kind(json) == "open", let seal = json["seal"] {
                answer += CaseSealing.payload(seal).filter { $0.name == "payload_b64" }
            }
            return answer
        default: throw FormatError(field: "kind", reason: "unknown")
        }
    }

    /// `open` where the case does not say; empty for what is no string.
    private static func kind(_ outline: JSONOutline, _ range: Range<Int>) -> String {
        guard let kind = outline.member("kind", of: range) else { return "open" }
        return (try? outline.value(kind, maximumDepth: 1))?.text ?? ""
    }

    /// `open` where the case does not say.
    static func kind(_ json: JSONValue) -> String { json["kind"].map { $0.text ?? "" } ?? "open" }

    static func text(_ json: JSONValue, _ name: String) throws(FormatError) -> String {
        guard let text = json[name]?.text else { throw FormatError(field: name, reason: "missing or not a string") }
        return text
    }

    static func integer(_ json: JSONValue, _ name: String) throws(FormatError) -> Int64 {
        guard let value = json[name]?.plainInteger else {
            throw FormatError(field: name, reason: "missing or not a whole number")
        }
        return value
    }

    /// The bytes of base64url text.
    static func bytes(_ json: JSONValue, _ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(json, name)) else {
            throw FormatError(field: name, reason: "not base64url")
        }
        return bytes
    }
}
