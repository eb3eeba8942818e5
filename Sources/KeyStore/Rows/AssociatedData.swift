/// An unambiguous encoding: every part with its form and its length before it.
struct AssociatedData {
    private(set) var bytes: [UInt8] = []

    init(_ label: String) {
        bytes.reserveCapacity(640)
        append(label)
    }

    mutating func append(_ text: String) { append(form: 1, text.utf8.count, text.utf8) }
    mutating func append(_ blob: [UInt8]) { append(form: 2, blob.count, blob) }

    mutating func append(_ integer: Int64) {
        append(form: 3, 8, EmptyCollection())
        bigEndian(UInt64(bitPattern: integer), byteCount: 8)
    }

    mutating func append(_ value: FieldValue) {
        switch value {
        case .null: append(form: 4, 0, EmptyCollection())
        case .integer(let integer): append(integer)
        case .text(let text): append(text)
        case .blob(let blob): append(blob)
        }
    }

    private mutating func append(form: UInt8, _ count: Int, _ content: some Collection<UInt8>) {
        bytes.append(form)
        bigEndian(UInt64(UInt32(count)), byteCount: 4)
        bytes.append(contentsOf: content)
    }

    private mutating func bigEndian(_ number: UInt64, byteCount: Int) {
        for index in 1...byteCount { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (byteCount - index)))) }
    }
}
