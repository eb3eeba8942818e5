/// One condition on the rows asked for; several hold together.
enum Match: Sendable {
    case equal(String, FieldValue)
    case notEqual(String, FieldValue)
    case atMost(String, Int64)

    static func equal(_ column: String, _ text: String) -> Match { .equal(column, .text(text)) }

    var column: String {
        switch self {
        case .equal(let column, _), .notEqual(let column, _), .atMost(let column, _): column
        }
    }
}
