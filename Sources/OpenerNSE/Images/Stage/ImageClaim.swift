internal import CryptoPrimitives
internal import EnvelopeFormat

/// What a source says, in one form.
struct ImageClaim {
    let url: String
    /// SHA-256 of the bytes as fetched, 32 bytes.
    let hash: [UInt8]?
    /// 32 bytes.
    let key: SymmetricKey?

    init(_ source: ImageSource) {
        switch source {
        case .claimed(let reference):
            url = reference.url
            hash = reference.sha256
            key = reference.key
        case .clear(let url):
            self.url = url
            hash = nil
            key = nil
        }
    }
}
