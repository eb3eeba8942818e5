/// An unambiguous encoding: every part with its form and its length before it.
struct AssociatedData {
    private(set) var bytes: [UInt8] = []

    init(_ label: String) {
        bytes.reserveCapacity(640)
        append(label)
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(form: 1, UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ blob: [UInt8]) { blob.withUnsafeBytes { append(form: 2, $0) } }

    /// What is encoded already.
    mutating func append(encoded part: [UInt8]) { bytes.append(contentsOf: part) }

    mutating func append(_ integer: Int64) {
        withUnsafeBytes(of: integer.bigEndian) { append(form: 3, $0) }
    }

    mutating func append(_ value: FieldValue) {
        switch value {
        case .null: append(form: 4, UnsafeRawBufferPointer(start: nil, count: 0))
        case .integer(let integer): append(integer)
        case .text(let text): append(text)
        case .blob(let blob): append(blob)
        }
    }

    private mutating func append(form: UInt8, _ content: UnsafeRawBufferPointer) {
        let count = UInt32(content.count)
        let head = (form, UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255))
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: content)
    }
}
