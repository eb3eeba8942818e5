internal import CryptoPrimitives
internal import EnvelopeFormat

/// A message that was opened: 16 bytes of a digest of its names, and until when it is valid.
struct ReplayEntry: Sendable, Equatable {
    static let byteCount = 24
    let high: UInt64
    let low: UInt64
    /// Seconds since 1970.
    let until: Int64

    init(_ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64) {
        let digest = Array(SHA256.hash(data: Array(conversation.string.utf8) + [0] + message.bytes))
        high = UInt64(bigEndian: digest[0..<8])
        low = UInt64(bigEndian: digest[8..<16])
        self.until = until
    }

    init(_ bytes: ArraySlice<UInt8>) {
        high = UInt64(bigEndian: bytes.prefix(8))
        low = UInt64(bigEndian: bytes.dropFirst(8).prefix(8))
        until = Int64(bitPattern: UInt64(bigEndian: bytes.dropFirst(16)))
    }

    var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes + UInt64(bitPattern: until).bigEndianBytes }

    func isSameMessage(as other: ReplayEntry) -> Bool { high == other.high && low == other.low }
}

extension UInt64 {
    init(bigEndian bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) } }
}
