/// A payload that is ready to be sent.
package struct RenderedPayload: Sendable {
    package let bytes: [UInt8]
    /// How many more bytes the sealed part could have taken.
    package let bytesLeft: Int
    /// Whether the body was cut.
    package let isTruncated: Bool

    /// The same, of a body that the caller cut.
    package var truncated: RenderedPayload { RenderedPayload(bytes: bytes, bytesLeft: bytesLeft, isTruncated: true) }
}
