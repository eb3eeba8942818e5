/// What a listener shows of itself, and whose client certificates it takes: PEM, as libmicrohttpd and GnuTLS read it.
struct TLSCertificates: Sendable {
    /// TLS 1.2 with forward secrecy and an AEAD, or 1.3.
    static let priorities =
        "SECURE192:SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-CIPHER-ALL:+AES-256-GCM:+AES-128-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD"

    private let certificate: [UInt8]
    private let privateKey: [UInt8]
    private let authority: [UInt8]?

    var hasAuthority: Bool { authority != nil }

    init(certificate: [UInt8], privateKey: [UInt8], authority: [UInt8]?) {
        self.certificate = certificate + [0]
        self.privateKey = privateKey + [0]
        self.authority = authority.map { $0 + [0] }
    }

    func withPointers<Result>(_ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result) -> Result {
        certificate.withUnsafeBytes { certificate in
            privateKey.withUnsafeBytes { key in
                let first = certificate.baseAddress?.assumingMemoryBound(to: CChar.self)
                let second = key.baseAddress?.assumingMemoryBound(to: CChar.self)
                guard let authority else { return body(first, second, nil) }
                return authority.withUnsafeBytes { body(first, second, $0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
            }
        }
    }
}
