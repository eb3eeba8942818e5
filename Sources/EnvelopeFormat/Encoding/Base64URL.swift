/// base64url without padding, canonical (RFC 4648 section 5, RFC 7515 appendix C).
public enum Base64URL {
    /// The number of characters for so many bytes.
    public static func encodedCount(_ byteCount: Int) -> Int { Base64Alphabet.encodedCount(byteCount) }

    /// The most bytes whose text has at most so many characters.
    package static func decodedCount(_ characterCount: Int) -> Int { characterCount * 3 / 4 }

    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { output in
            if let start = output.baseAddress { bytes.withUnsafeBytes { encode($0, into: start) } }
            return encodedCount(bytes.count)
        }
    }

    /// Writes the text of `bytes` at `output`, which has room for ``encodedCount(_:)`` characters.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        Base64Alphabet.url.encode(bytes, into: output)
    }

    /// The bytes of the text, nil when it is not canonical base64url.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        Array(text).withUnsafeBufferPointer { Base64Alphabet.url.decode($0) }
    }

    /// The bytes of the text, nil when it is not canonical base64url.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}
