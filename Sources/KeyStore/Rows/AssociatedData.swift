/// An unambiguous encoding: every part with its form and its length before it.
struct AssociatedData {
    private(set) var bytes: [UInt8] = []

    init(_ label: String) { append(label) }

    mutating func append(_ text: String) { append(form: 1, Array(text.utf8)) }
    mutating func append(_ blob: [UInt8]) { append(form: 2, blob) }

    mutating func append(_ integer: Int64) {
        append(form: 3, withUnsafeBytes(of: integer.bigEndian) { Array($0) })
    }

    mutating func append(_ value: FieldValue) {
        switch value {
        case .null: append(form: 4, [])
        case .integer(let integer): append(integer)
        case .text(let text): append(text)
        case .blob(let blob): append(blob)
        }
    }

    private mutating func append(form: UInt8, _ content: [UInt8]) {
        bytes.append(form)
        bytes += withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) }
        bytes += content
    }
}
