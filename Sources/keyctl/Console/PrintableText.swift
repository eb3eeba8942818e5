/// Text from elsewhere made safe to print on a terminal.
///
/// Control characters and Unicode's direction controls are shown as `\n`, `\t` or `\u{1b}`, so that a name cannot move
/// the cursor, change colours, or show itself in another order than it is.
enum PrintableText {
    static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustEscape) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where mustEscape(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same for JSON that is written already: what JSON leaves as it is becomes `\u009b`, with the same meaning.
    static func escape(json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F && mustEscape(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += Array("\\u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)".utf8)
            } else {
                result += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return result
    }

    /// C0, DEL and C1 controls, line and paragraph separators, marks and embeddings of direction.
    static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
