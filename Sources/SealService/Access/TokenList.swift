import CryptoPrimitives
import EnvelopeFormat
import Sealer

/// The tokens of a service, read from a file: `{"tokens": [{"name", "sha256", "scopes"}]}`. Two of one name are one caller, so that a
/// token can be replaced while both are in use.
struct TokenList: Sendable {
    static let longestName = 64
    private static let most = 1_000

    let tokens: [ServiceToken]

    init(_ tokens: [ServiceToken] = []) { self.tokens = tokens }

    /// - Throws: ``FormatError`` naming the member at fault.
    init(parsing bytes: [UInt8]) throws(FormatError) {
        let reader = try RequestReader(try JSONValue.parse(bytes), "tokens", ["tokens"])
        guard case .array(let values)? = reader.value("tokens") else { throw FormatError(field: "tokens", reason: "not an array") }
        guard values.count <= Self.most else { throw FormatError(field: "tokens", reason: "more than \(Self.most)") }
        tokens = try values.map { (value) throws(FormatError) in
            let reader = try RequestReader(value, "token", ["name", "sha256", "scopes"])
            let name = try Self.name(try reader.text("name") ?? "")
            guard let digest = Base64URL.decode(try reader.text("sha256") ?? ""), digest.count == SHA256.byteCount else {
                throw FormatError(field: "token.sha256", reason: "not 32 bytes in base64url")
            }
            return ServiceToken(name: name, digest: digest, scopes: try Self.scopes(reader.value("scopes"), of: "token"))
        }
    }

    /// - Throws: ``FormatError`` for what is no name of a token.
    static func name(_ text: String) throws(FormatError) -> String {
        let isName =
            (1...longestName).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard isName else { throw FormatError(field: "token.name", reason: "not 1 to \(longestName) printable ASCII characters") }
        return text
    }

    /// - Throws: ``FormatError`` for no array, an unknown word, or none.
    static func scopes(_ value: JSONValue?, of field: String) throws(FormatError) -> Set<Scope> {
        guard case .array(let values)? = value, !values.isEmpty else {
            throw FormatError(field: "\(field).scopes", reason: "not an array with one scope at least")
        }
        return Set(
            try values.map { (value) throws(FormatError) in
                guard let scope = value.text.flatMap({ Scope(exactly: $0) }) else {
                    throw FormatError(field: "\(field).scopes", reason: "none of \(Scope.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                return scope
            })
    }

    /// Whose token it is. Every token is compared, each in constant time, whichever it is.
    func caller(presenting text: String) -> Caller? {
        let digest = ServiceToken.digest(of: text)
        var found: ServiceToken?
        for token in tokens where constantTimeEqual(token.digest, digest) { found = token }
        return found.map { Caller(name: "token \($0.name)", scopes: $0.scopes) }
    }

    func json() -> JSONValue {
        .object([
            JSONMember(
                "tokens",
                .array(
                    tokens.map { token in
                        .object([
                            JSONMember("name", .string(token.name)), JSONMember("sha256", .string(Base64URL.encode(token.digest))),
                            JSONMember("scopes", .array(Scope.allCases.filter(token.scopes.contains).map { .string($0.rawValue) })),
                        ])
                    }))
        ])
    }
}
