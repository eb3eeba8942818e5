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
}
