/// base64 with padding, canonical (RFC 4648 section 4).
public enum Base64 {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { output in
            if let start = output.baseAddress { bytes.withUnsafeBytes { encode($0, into: start) } }
            return encodedCount(bytes.count)
        }
    }

    /// How many characters so many bytes take.
    package static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Writes ``encodedCount(_:)`` characters.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        Base64Alphabet.standard.encode(bytes, into: output)
        for index in Base64Alphabet.encodedCount(bytes.count)..<encodedCount(bytes.count) { output[index] = UInt8(ascii: "=") }
    }

    /// The bytes of the text, nil when it is not canonical padded base64.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var letters = Array(text)
        guard letters.count % 4 == 0 else { return nil }
        for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        return letters.withUnsafeBufferPointer { Base64Alphabet.standard.decode($0) }
    }

    /// The bytes of the text, nil when it is not canonical padded base64.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}
