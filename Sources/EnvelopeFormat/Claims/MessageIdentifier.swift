/// A `jti`: 16 bytes, the same in a resend and on every device; 22 characters of base64url.
public struct MessageIdentifier: Hashable, Sendable, CustomStringConvertible {
    public static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    /// - Throws: ``FormatError`` when there are not exactly 16 bytes.
    public init(bytes: some Sequence<UInt8>) throws(FormatError) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else {
            throw FormatError(field: "jti", reason: "\(bytes.count) bytes where 16 are needed")
        }
        self.init(
            bytes.withUnsafeBytes {
                ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            })
    }

    /// The bytes of both words as they lie in memory.
    package init(_ words: (UInt64, UInt64)) {
        high = words.0
        low = words.1
    }

    /// Reads 22 characters; nil for anything but the canonical base64url of 16 bytes.
    public init?(_ text: String) {
        guard let bytes = Base64URL.decode(text.utf8), let value = try? MessageIdentifier(bytes: bytes) else {
            return nil
        }
        self = value
    }

    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: (high, low), body)
    }

    /// The 16 bytes.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    public var description: String { Base64URL.encode(bytes) }
}
