import EnvelopeFormat

/// What members there are (`docs/spec/cases.md`): what is misspelt is not to be taken for what is left out.
enum CaseMembers {
    static let file: Set<String> = ["format", "set", "about", "count", "rings", "cases"]
    static let step: Set<String> = ["env", "payload_b64", "bundle"]
    static let environment: Set<String> = ["now", "lock", "seen", "replay", "limit"]
    static let ring: Set<String> = ["device", "allow_split", "keys", "split_keys"]
    static let device: Set<String> = ["jwk", "enrollment_secret", "accessible", "last_seq"]

    private static let everyKind: Set<String> = ["id", "kind", "group", "about", "rule", "expect"]
    private static let kinds: [String: Set<String>] = [
        "open": ["ring", "env", "before", "payload_b64", "entry", "seal"], "bundle": ["ring", "env", "before", "bundle"],
        "seal": ["ring", "seal"], "bundle-seal": ["ring", "seal_bundle"], "derive": ["derive"], "enroll": ["document_b64"],
    ]

    /// - Throws: for a member that a case of that kind does not have. A kind that there is not is answered as such.
    static func check(_ names: [String], ofKind kind: String) throws(FormatError) {
        guard let members = kinds[kind] else { return }
        try check(names, members.union(everyKind))
    }

    static func check(_ json: JSONValue, _ members: Set<String>, _ field: String) throws(FormatError) {
        do throws(FormatError) { try check((json.members ?? []).map(\.name), members) } catch {
            throw FormatError(field: "\(field), \(error.field)", reason: error.reason)
        }
    }

    static func check(_ names: [String], _ members: Set<String>) throws(FormatError) {
        guard let unknown = names.filter({ !members.contains($0) }).min() else { return }
        throw FormatError(field: unknown, reason: "a member that there is not")
    }
}
