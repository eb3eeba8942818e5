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
    static func forEach(
        in bytes: [UInt8], beginningWith first: String = "count", _ body: (VectorRecord) throws(FormatError) -> Void
    ) throws(FormatError) {
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
                group[line.name] = line.value
            } else if isFirst {
                record = VectorRecord(group: group, number: line.value)
            } else if record != nil, record?.fields.updateValue(line.value, forKey: line.name) != nil {
                throw FormatError(field: "\(first) \(record?.number ?? ""), \(line.name)", reason: "there twice")
            }
        }
        if let record { try body(record) }
    }

    private init(group: [String: String], number: String) {
        self.group = group
        self.number = number
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
