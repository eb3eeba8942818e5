/// Cutting a body at the boundary of extended grapheme clusters (UAX 29).
public enum Truncation {
    /// What a shortened body ends with.
    public static let mark = "…"

    /// As many whole clusters from the front as take at most so many bytes inside a string of JSON, and the mark.
    public static func cut(_ body: String, escapedByteCount: Int) -> String {
        prefix(of: body, byteCount: escapedByteCount) { JSONEscape.encodedCount($0) } + mark
    }

    /// As many whole clusters from the front as fit with the mark into so many bytes, and the mark.
    /// - Throws: ``FormatError`` when not even the mark fits.
    public static func cut(_ body: String, byteCount: Int) throws(FormatError) -> String {
        guard byteCount >= mark.utf8.count else {
            throw FormatError(
                field: "body", reason: "\(max(0, byteCount)) bytes fit, too few for any text", doesNotFit: true)
        }
        return prefix(of: body, byteCount: byteCount - mark.utf8.count) { $0.utf8.count } + mark
    }

    private static func prefix(of body: String, byteCount: Int, counting: (Substring) -> Int) -> Substring {
        var room = byteCount
        var end = body.startIndex
        while end < body.endIndex {
            let next = body.index(after: end)
            room -= counting(body[end..<next])
            if room < 0 { break }
            end = next
        }
        return body[..<end]
    }
}
