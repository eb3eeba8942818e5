/// IP addresses as text, in the one form each that has one meaning only.
enum AddressText {
    /// Four decimal numbers without zeros before them.
    /// - Returns: 4 bytes.
    static func four(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part == "0" || !part.hasPrefix("0"),
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// RFC 4291, section 2.2; no zone.
    /// - Returns: 16 bytes.
    static func six(_ text: Substring) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            guard let bytes = groups(text), bytes.count == 16 else { return nil }
            return bytes
        }
        let left = text[..<gap.lowerBound]
        let right = text[gap.upperBound...]
        guard !left.contains("."), let before = left.isEmpty ? [] : groups(left), let after = right.isEmpty ? [] : groups(right),
            before.count + after.count <= 14
        else { return nil }
        return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
    }

    /// Groups of four digits, the last two of which may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let four = four(part) else { return nil }
                bytes += four
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexadecimal), let group = UInt16(part, radix: 16) else {
                return nil
            }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
