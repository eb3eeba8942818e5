/// Cutting a body at the boundary of extended grapheme clusters (UAX 29).
public enum Truncation {
    /// What a shortened body ends with.
    public static let mark = "…"

    /// As many whole clusters from the front as take at most so many bytes inside a string of JSON, and the mark.
    public static func cut(_ body: String, escapedByteCount: Int) -> String {
        var room = escapedByteCount
        var end = body.startIndex
        while end < body.endIndex {
            let next = body.index(after: end)
            room -= JSONEscape.encodedCount(body[end..<next])
            if room < 0 { break }
            end = next
        }
        return body[..<end] + mark
    }
}
