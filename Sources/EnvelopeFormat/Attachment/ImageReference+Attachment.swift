public import CryptoPrimitives

extension ImageReference {
    /// The key of the sealed attachment, 32 bytes, for ``AttachmentOpener``; nil where the image is not sealed.
    public var attachmentKey: SymmetricKey? {
        guard var bytes = key.flatMap({ Base64URL.decode($0) }) else { return nil }
        defer { wipe(&bytes) }
        return SymmetricKey(data: bytes)
    }
}
