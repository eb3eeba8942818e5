internal import EnvelopeFormat

/// What a source says, in one form.
struct ImageClaim {
    let url: String
    /// SHA-256 of the bytes as fetched, 32 bytes.
    let hash: [UInt8]?
    /// base64url of 32 bytes.
    let key: String?

    init(_ source: ImageSource) {
        switch source {
        case .claimed(let reference):
            url = reference.url
            // Whoever made the reference has looked that it is of 32 bytes.
            hash = reference.sha256.map { Base64URL.decode($0) ?? [] }
            key = reference.key
        case .clear(let url):
            self.url = url
            hash = nil
            key = nil
        }
    }
}
