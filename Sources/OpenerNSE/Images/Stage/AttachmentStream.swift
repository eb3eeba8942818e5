internal import CryptoPrimitives
internal import EnvelopeFormat

/// One sealed attachment that is being opened, piece by piece, as the attachment spec says. What comes out counts only once
/// ``finish()`` has returned.
struct AttachmentStream {
    private let opener: AttachmentOpener

    /// - Parameter key: the claim's, 32 bytes.
    init(key: SymmetricKey) throws(ImageFailure) {
        do { opener = try AttachmentOpener(key: key) } catch { throw .seal }
    }

    /// - Returns: what the bytes so far opened to, as far as it was not returned before.
    /// - Throws: ``ImageFailure/seal``.
    func open(_ bytes: [UInt8]) throws(ImageFailure) -> [UInt8] {
        try released { release in try bytes.withUnsafeBytes { try opener.update($0, release) } }
    }

    /// The attachment is at its end.
    /// - Throws: ``ImageFailure/seal`` where it is not whole.
    func finish() throws(ImageFailure) -> [UInt8] { try released { release in try opener.finish(release) } }

    private func released(
        _ body: (@escaping (UnsafeRawBufferPointer) -> Void) throws -> Void
    ) throws(ImageFailure) -> [UInt8] {
        var released: [UInt8] = []
        do { try withoutActuallyEscaping({ (bytes: UnsafeRawBufferPointer) in released += bytes }, do: body) } catch { throw .seal }
        return released
    }
}
