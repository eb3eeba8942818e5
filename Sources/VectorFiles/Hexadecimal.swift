package import EnvelopeFormat

/// Hexadecimal digits of either case, as vector files have them.
package enum Hexadecimal {
    /// - Throws: naming the field, for anything but pairs of digits.
    package static func bytes(_ text: String, _ field: String) throws(FormatError) -> [UInt8] {
        let digits = text.utf8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(digit) else { throw FormatError(field: field, reason: "not hexadecimal digits") }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { throw FormatError(field: field, reason: "an odd number of hexadecimal digits") }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
