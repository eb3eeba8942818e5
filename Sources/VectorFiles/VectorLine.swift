/// A line `Name = value` or `[Name = value]` of a text of vectors; a name alone has the empty value.
struct VectorLine {
    let name: String
    let value: String
    /// Whether it stands in brackets, and is of all records that follow.
    let isOfGroup: Bool

    /// Nil for an empty line and a comment.
    init?(_ line: ArraySlice<UInt8>) {
        var line = Self.trimmed(line)
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        isOfGroup = first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]")
        if isOfGroup { line = line.dropFirst().dropLast() }
        let equals = line.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
        name = String(decoding: Self.trimmed(line[..<equals]), as: UTF8.self)
        value = String(decoding: Self.trimmed(line[equals...].dropFirst()), as: UTF8.self)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        guard let first = line.firstIndex(where: { !isSpace($0) }), let last = line.lastIndex(where: { !isSpace($0) }) else { return [] }
        return line[first...last]
    }
}
