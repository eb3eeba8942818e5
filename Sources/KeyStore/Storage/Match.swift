/// One condition on the rows asked for; several hold together.
enum Match: Sendable {
    case equal(String, FieldValue)
    case atMost(String, Int64)
    /// Rows whose name comes after this one, to read a table in parts.
    case after(String)
    /// Rows whose name comes before this one, the last first, to read the end of a table.
    case before(String)

    static func equal(_ column: String, _ text: String) -> Match { .equal(column, .text(text)) }
}
