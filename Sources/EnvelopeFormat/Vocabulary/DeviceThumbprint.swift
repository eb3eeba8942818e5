public import CryptoPrimitives

/// The identity of a device (`DKID`): the SHA-256 JWK thumbprint of its public key (RFC 7638), 43 base64url characters.
public struct DeviceThumbprint: Hashable, Sendable, CustomStringConvertible {
    /// 43 base64url characters.
    public let string: String

    /// The thumbprint of a public key, over the members `crv`, `kty`, `x`, `y` in that order (RFC 7638 section 3).
    public init(of key: P256.KeyAgreement.PublicKey) {
        let point = Array(key.x963Representation)
        let x = Base64URL.encode(point[1..<33])
        let y = Base64URL.encode(point[33..<65])
        let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        string = Base64URL.encode(Array(SHA256.hash(data: Array(canonical.utf8))))
    }

    /// Reads the canonical base64url of 32 bytes; nil for anything else.
    public init?(_ string: some StringProtocol) {
        guard let bytes = Base64URL.decode(Array(string.utf8)), bytes.count == 32 else { return nil }
        self.string = String(string)
    }

    public var description: String { string }
}
