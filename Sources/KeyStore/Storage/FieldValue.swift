/// The value of one column, in the four forms every engine has.
enum FieldValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    init(_ value: Int64?) { self = value.map(FieldValue.integer) ?? .null }
    init(_ value: String?) { self = value.map(FieldValue.text) ?? .null }
    init(_ value: [UInt8]?) { self = value.map(FieldValue.blob) ?? .null }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }

    /// By bytes: of two texts that Swift takes for the same, composed in one way and the other, each has a seal of its own.
    static func == (one: FieldValue, other: FieldValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.blob(let one), .blob(let other)): one == other
        default: false
        }
    }
}
