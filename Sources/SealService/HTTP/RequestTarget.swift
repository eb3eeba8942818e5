/// A request target taken apart: segments of the path and members of the query, percent-decoded one by one, so that a `%2F` in a
/// name is no slash of the path.
enum RequestTarget {
    /// Nil where the path does not begin with a slash, or a segment is no percent-encoded UTF-8.
    static func segments(_ path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = decoded(Array(part)) else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// The text of percent-encoded UTF-8; nil where it is none.
    static func decoded(_ bytes: [UInt8]) -> String? {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) else { return nil }
                plain.append(high << 4 | low)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return String(validating: plain, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
