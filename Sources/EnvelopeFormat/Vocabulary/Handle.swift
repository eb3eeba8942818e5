/// The name of one conversation secret and all epochs ratcheted from it: 12 random bytes, 16 base64url characters.
public struct Handle: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes behind a handle.
    public static let byteCount = 12

    /// 16 base64url characters.
    public let string: String

    /// A handle from its 12 bytes, which the caller draws at random.
    /// - Throws: ``FormatError`` when there are not exactly 12 bytes.
    public init(bytes: some Sequence<UInt8>) throws(FormatError) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else {
            throw FormatError(field: "handle", reason: "\(bytes.count) bytes where 12 are needed")
        }
        string = Base64URL.encode(bytes)
    }

    /// A handle from its 16 characters; nil when they are not base64url.
    public init?(_ string: some StringProtocol) {
        let utf8 = Array(string.utf8)
        guard utf8.count == 16, Base64URL.decode(utf8) != nil else { return nil }
        self.string = String(string)
    }

    public var description: String { string }
}
