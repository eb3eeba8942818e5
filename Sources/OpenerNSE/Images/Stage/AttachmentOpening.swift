/// Opens sealed attachments.
public protocol AttachmentOpening: Sendable {
    /// - Parameter key: the claim's, base64url of 32 bytes.
    /// - Throws: ``ImageFailure/seal``.
    func begin(key: String) throws(ImageFailure) -> any AttachmentStream
}

/// One sealed attachment that is being opened, piece by piece. What comes out counts only once ``finish()`` has returned.
public protocol AttachmentStream {
    /// - Returns: what the bytes so far opened to, as far as it was not returned before.
    /// - Throws: ``ImageFailure/seal``.
    mutating func open(_ bytes: [UInt8]) throws(ImageFailure) -> [UInt8]

    /// The attachment is at its end.
    /// - Throws: ``ImageFailure/seal`` where it is not whole.
    mutating func finish() throws(ImageFailure) -> [UInt8]
}
