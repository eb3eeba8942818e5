import EnvelopeFormat

/// One record of a text of `Name = value` lines, as NIST's `.rsp` files and the texts of HKDF and Argon2id have them. It begins
/// with a line of a certain name, however that is written: mostly `Count`.
struct VectorRecord {
    /// What stood in brackets before it.
    let group: [String: String]
    private(set) var fields: [String: String] = [:]
    /// The value of its first line.
    let number: String

    /// The records of a text, one at a time: texts are long.
    /// - Parameter start: the number of the first record of a group; each after it has the next. Nil where records have no number.
    /// - Throws: for what is in no record, in one twice, or not numbered like that.
    static func forEach(
        in bytes: [UInt8], beginningWith first: String = "count", numberedFrom start: ClosedRange<Int>? = 0...0,
        _ body: (VectorRecord) throws(FormatError) -> Void
    ) throws(FormatError) {
        var last: Int?
        var isInBrackets = false
        var group: [String: String] = [:]
        var record: VectorRecord?
        for line in bytes.split(separator: 0x0A) {
            guard let line = VectorLine(line) else { continue }
            let isFirst = line.name.lowercased() == first
            if isFirst || line.isOfGroup, let done = record {
                try body(done)
                record = nil
            }
            if line.isOfGroup {
                if !isInBrackets { (group, last) = ([:], nil) }
                group[line.name] = line.value
            } else if isFirst {
                if let start { last = try number(line, after: last, start) }
                record = VectorRecord(group: group, number: line.value)
            } else if record == nil {
                throw FormatError(field: line.name, reason: "in no record: a line \(first) is missing")
            } else if record?.fields.updateValue(line.value, forKey: line.name) != nil {
                throw FormatError(field: "\(first) \(record?.number ?? ""), \(line.name)", reason: "there twice")
            }
            isInBrackets = line.isOfGroup
        }
        if let record { try body(record) }
    }

    private static func number(_ line: VectorLine, after last: Int?, _ start: ClosedRange<Int>) throws(FormatError) -> Int {
        guard let number = Int(line.value), last.map({ number == $0 + 1 }) ?? start.contains(number) else {
            throw FormatError(
                field: "\(line.name) \(line.value)", reason: last.map { "follows \($0)" } ?? "does not begin at \(start.lowerBound)")
        }
        return number
    }

    private init(group: [String: String], number: String) {
        self.group = group
        self.number = number
    }

    /// - Throws: for a line that is missing, and one that such a record does not have.
    func checkLines(_ required: Set<String>, orElse others: Set<String> = []) throws(FormatError) {
        if let missing = required.subtracting(fields.keys).min() { throw FormatError(field: missing, reason: "missing") }
        if let more = Set(fields.keys).subtracting(required.union(others)).min() {
            throw FormatError(field: more, reason: "a line that such a record does not have")
        }
    }

    func has(_ name: String) -> Bool { fields[name] != nil }

    /// The bytes of hexadecimal digits.
    func bytes(_ name: String) throws(FormatError) -> [UInt8] {
        guard let text = fields[name] else { throw FormatError(field: name, reason: "missing") }
        return try Hexadecimal.bytes(text, name)
    }

    /// A number of the record, or of its group.
    func number(_ name: String) throws(FormatError) -> Int {
        guard let number = (fields[name] ?? group[name]).flatMap({ Int($0) }) else {
            throw FormatError(field: name, reason: "missing or no number")
        }
        return number
    }
}
