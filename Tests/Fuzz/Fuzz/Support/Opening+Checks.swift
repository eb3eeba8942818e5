import EnvelopeFormat
import OpenerNSE

extension Opening {
    /// The outcomes of the envelope spec, section 9.
    private static let outcomes: Set<Outcome> = [
        .tooLarge, .malformed, .notSealed, .unsupported, .unknownKey, .keyRevoked, .keyRetired, .keyLocked, .notAuthentic, .badClaims,
        .expired, .notYetValid, .duplicate, .opened,
    ]

    /// What has to hold of whatever opening came to.
    func checked() throws -> Opening {
        require(.outcome, Self.outcomes.contains(isPlanted(.outcome) ? .installed : outcome), "no outcome of opening")
        require(.outcome, (content != nil) == (outcome == .opened || outcome == .duplicate), "content without opening, or none with it")
        if let content {
            let written = altered(.identity, content.json.write())
            let again = try? Content(claims: JSONValue.parse(written))
            require(.identity, again == content, "content that is written is read otherwise")
        }
        return self
    }

    /// Whether both say the same.
    func isSame(as other: Opening) -> Bool {
        outcome == other.outcome && content == other.content && isReplayUnchecked == other.isReplayUnchecked && shown == other.shown
    }

    /// As a case's answer has it.
    var answer: JSONValue {
        var members = [JSONMember("outcome", .string(isPlanted(.agreement) ? "planted" : outcome.rawValue))]
        if let content = newContent { members.append(JSONMember("content", content.json)) }
        if isReplayUnchecked { members.append(JSONMember("replay_unchecked", .bool(true))) }
        return .object(members)
    }
}
