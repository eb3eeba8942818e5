import EnvelopeFormat

/// Opens sealed attachments as the attachment spec says.
public struct SealedAttachments: AttachmentOpening {
    public init() {}

    public func begin(key: String) throws(ImageFailure) -> any AttachmentStream {
        guard let reference = try? ImageReference(url: "https://-", key: key), let key = reference.attachmentKey,
            let opener = try? AttachmentOpener(key: key)
        else { throw .seal }
        return Stream(opener: opener)
    }

    private struct Stream: AttachmentStream {
        let opener: AttachmentOpener

        func open(_ bytes: [UInt8]) throws(ImageFailure) -> [UInt8] {
            try released { release in try bytes.withUnsafeBytes { try opener.update($0, release) } }
        }

        func finish() throws(ImageFailure) -> [UInt8] { try released { release in try opener.finish(release) } }

        private func released(
            _ body: (@escaping (UnsafeRawBufferPointer) -> Void) throws -> Void
        ) throws(ImageFailure) -> [UInt8] {
            var released: [UInt8] = []
            do { try withoutActuallyEscaping({ (bytes: UnsafeRawBufferPointer) in released += bytes }, do: body) } catch { throw .seal }
            return released
        }
    }
}
