/// Bytes as tests write them.
enum Hexadecimal {
    static func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count - 1, by: 2).map { offset in
            let start = text.index(text.startIndex, offsetBy: offset)
            return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)!
        }
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
