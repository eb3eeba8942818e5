import EnvelopeFormat
import Simulator

/// The bytes of a file, and what formats are told apart by.
struct VectorFile: Sendable {
    /// Among how many lines, remarks not counted, the names of a text are looked for.
    private static let lookedAtCount = 200

    let bytes: [UInt8]
    let json: JSONOutline
    /// The names before `=`, in lower case, of the first lines of a text; none for JSON and for what is no text.
    let names: Set<String>
    /// Whether one of these lines has a value of many hexadecimal digits.
    let hasDigits: Bool
    /// The remarks among these lines.
    let remarks: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = JSONOutline(bytes)
        let beginning = bytes.prefix(1 << 16)
        guard !beginning.contains(0) else {
            (names, hasDigits, remarks) = ([], false, "")
            return
        }
        let all = beginning.split(separator: 0x0A)
        let lines = all.lazy.compactMap { VectorLine($0) }.prefix(Self.lookedAtCount)
        remarks = all.filter { $0.first == UInt8(ascii: "#") }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        names = Set(lines.map { $0.name.lowercased() })
        hasDigits = lines.contains { $0.value.utf8.count >= 16 && $0.value.allSatisfy(\.isHexDigit) }
    }

    /// Whether a text has one of these names and none beside those that a form has: it may be cut off in its first record.
    func hasOnly(_ names: Set<String>, andOneOf marks: Set<String>) -> Bool {
        self.names.isSubset(of: names) && !self.names.isDisjoint(with: marks)
    }

    /// A member of the object of JSON that the file is or begins; nil when it has none of that name, or is something else.
    func member(_ name: String) -> JSONValue? {
        guard let start = json.beginning, let range = json.member(name, of: start) else { return nil }
        return try? json.value(range, maximumDepth: 1)
    }

    /// The first element of the array of JSON that the file is or begins.
    var firstElement: Range<Int>? { json.beginning.flatMap { json.elements($0)?.first } }

    /// The object or array that the file is.
    func whole() throws(FormatError) -> Range<Int> {
        guard let whole = json.whole else {
            throw FormatError(field: "JSON", reason: "not one whole value: cut off, or something follows it")
        }
        return whole
    }

    /// The elements of a member.
    func elements(_ name: String, of range: Range<Int>) throws(FormatError) -> [Range<Int>] {
        guard let elements = json.member(name, of: range).flatMap({ json.elements($0) }) else {
            throw FormatError(field: name, reason: "missing or not an array")
        }
        return elements
    }
}
