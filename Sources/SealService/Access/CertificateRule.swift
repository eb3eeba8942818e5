import EnvelopeFormat
import Sealer

/// Who may call with a client certificate: the common name of its subject, and what for.
struct CertificateRule: Sendable, Equatable {
    let name: String
    let scopes: Set<Scope>

    /// - Throws: ``FormatError`` naming the member at fault.
    init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "clients", ["name", "scopes"])
        name = try TokenList.name(try reader.text("name") ?? "")
        scopes = try TokenList.scopes(reader.value("scopes"), of: "clients")
    }
}
