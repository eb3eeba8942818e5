import CryptoPrimitives

/// Bytes being written, in memory of its own that is wiped when it grows, by ``wipe(from:)`` and at the end.
package struct ByteWriter: ~Copyable {
    /// The bytes written so far are the first ``count`` here.
    package private(set) var start: UnsafeMutablePointer<UInt8>
    package private(set) var count = 0
    private var capacity: Int

    package init(capacity: Int) {
        self.capacity = max(64, capacity)
        start = .allocate(capacity: self.capacity)
    }

    deinit {
        CryptoPrimitives.wipe(UnsafeMutableRawBufferPointer(start: start, count: count))
        start.deallocate()
    }

    /// Forgets and wipes what was written from a position on; the memory is kept.
    package mutating func wipe(from position: Int = 0) {
        CryptoPrimitives.wipe(UnsafeMutableRawBufferPointer(start: start + position, count: count - position))
        count = position
    }

    /// Makes room for so many more bytes.
    @inline(__always)
    package mutating func reserve(_ byteCount: Int) {
        if count + byteCount > capacity { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        let larger = max(capacity * 2, count + byteCount)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: start, count: count)
        CryptoPrimitives.wipe(UnsafeMutableRawBufferPointer(start: start, count: count))
        start.deallocate()
        start = moved
        capacity = larger
    }

    /// Takes the next so many bytes, which the caller writes.
    @inline(__always)
    package mutating func extend(_ byteCount: Int) -> UnsafeMutablePointer<UInt8> {
        reserve(byteCount)
        defer { count += byteCount }
        return start + count
    }

    package mutating func append(_ byte: UInt8) { extend(1).pointee = byte }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        extend(length).update(from: text.utf8Start, count: length)
    }

    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        extend(bytes.count).update(from: source, count: bytes.count)
    }

    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    package mutating func append(base64URL bytes: UnsafeRawBufferPointer) {
        Base64URL.encode(bytes, into: extend(Base64URL.encodedCount(bytes.count)))
    }

    package mutating func append(base64 bytes: [UInt8]) {
        let output = extend(Base64.encodedCount(bytes.count))
        bytes.withUnsafeBytes { Base64.encode($0, into: output) }
    }

    /// A plain decimal number.
    package mutating func append(decimal value: Int64) {
        guard value >= 10 else {
            value >= 0 ? append(UInt8(ascii: "0") + UInt8(value)) : append(text: String(value))
            return
        }
        var digits = 1
        var power: Int64 = 10
        while power <= value / 10 {
            power *= 10
            digits += 1
        }
        let to = extend(digits + 1)
        var rest = value
        for index in stride(from: digits, through: 0, by: -1) {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            to[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }

    /// So many copies of a byte.
    package mutating func append(repeating byte: UInt8, count: Int) {
        extend(count).update(repeating: byte, count: count)
    }

    /// What was written.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
