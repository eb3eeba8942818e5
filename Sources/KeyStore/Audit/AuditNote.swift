internal import EnvelopeFormat

/// An audit entry that is still to be written: all of it but time, caller and place in the log.
struct AuditNote: Equatable, Sendable {
    static let longestSubject = 160
    static let longestReason = 240

    let operation: AuditOperation
    var subject: String
    /// The key it was about.
    var kid: KeyIdentifier?
    var result = AuditResult.done
    /// Why, or with what: names and numbers.
    var reason: String?

    init(_ operation: AuditOperation, _ subject: String, kid: KeyIdentifier? = nil, reason: String? = nil) {
        self.operation = operation
        self.subject = subject
        self.kid = kid
        self.reason = reason
    }

    /// The same, refused for that reason.
    func refused(_ reason: String) -> AuditNote {
        var note = self
        note.result = .refused
        note.reason = reason
        return note
    }

    /// The text, or as much of it as fits with "…" at its end.
    static func bounded(_ text: String, _ byteCount: Int) -> String {
        guard text.utf8.count > byteCount else { return text }
        var cut = ""
        for character in text {
            guard cut.utf8.count + character.utf8.count + 3 <= byteCount else { break }
            cut.append(character)
        }
        return cut + "…"
    }
}
