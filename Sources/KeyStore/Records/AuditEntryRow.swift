internal import EnvelopeFormat

/// An entry of the audit log.
struct AuditEntryRow: Record {
    /// Numbers have at most 16 digits.
    static let lastNumber: Int64 = 9_999_999_999_999_999

    static let table = Table.auditEntry
    /// From 1 on, without a gap.
    let number: Int64
    let at: Int64
    let caller: Caller
    let operation: AuditOperation
    let subject: String
    let kid: KeyIdentifier?
    let result: AuditResult
    let reason: String?
    /// The hash of the entry before.
    let previous: [UInt8]
    /// Empty until it is made.
    var mac: [UInt8] = []

    var identifier: String { Self.identifier(number) }

    /// Names sort as their numbers do.
    static func identifier(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }

    init(_ note: AuditNote, number: Int64, at: Int64, caller: Caller, previous: [UInt8]) {
        self.number = number
        self.at = at
        self.caller = caller
        operation = note.operation
        subject = AuditNote.bounded(note.subject, AuditNote.longestSubject)
        kid = note.kid
        result = note.result
        reason = note.reason.map { AuditNote.bounded($0, AuditNote.longestReason) }
        self.previous = previous
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let number = Int64(identifier), number > 0, Self.identifier(number) == identifier else {
            throw fields.damaged
        }
        self.number = number
        at = try fields.integer()
        caller = Caller(
            user: try fields.integer(), process: try fields.integer(), token: try fields.optionalText())
        operation = try fields.word()
        subject = try fields.text()
        if let text = try fields.optionalText() {
            guard let kid = KeyIdentifier(text) else { throw fields.damaged }
            self.kid = kid
        } else {
            kid = nil
        }
        result = try fields.word()
        reason = try fields.optionalText()
        previous = try fields.blob()
        mac = try fields.blob()
        guard previous.count == UnkeyedDigest.byteCount, mac.count == EvolvingKey.byteCount else { throw fields.damaged }
    }

    var values: [FieldValue] {
        [
            .integer(at), .integer(caller.user), .integer(caller.process), FieldValue(caller.token),
            .text(operation.rawValue), .text(subject), FieldValue(kid?.description), .text(result.rawValue),
            FieldValue(reason), .blob(previous), .blob(mac),
        ]
    }
}
