import CryptoPrimitives
import EnvelopeFormat

/// A bearer token as the service keeps it: its SHA-256, whose it is, what it is good for.
///
/// Tokens are 32 random bytes, so a plain digest is as good as a slow one.
struct ServiceToken: Sendable {
    static let prefix = "wxt_"
    static let byteCount = 32

    let name: String
    let digest: [UInt8]
    let scopes: Set<Scope>

    /// A new token: what is kept, and the text that is told once.
    static func make(name: String, scopes: Set<Scope>) throws(SystemRandomBytes.Unavailable) -> (token: ServiceToken, text: String) {
        let text = prefix + Base64URL.encode(try SystemRandomBytes.bytes(byteCount))
        return (ServiceToken(name: name, digest: digest(of: text), scopes: scopes), text)
    }

    static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
