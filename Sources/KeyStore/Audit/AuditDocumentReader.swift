internal import EnvelopeFormat

/// Reads the members of a document about an audit log: exactly those there are, each of its form.
struct AuditDocumentReader {
    private let json: JSONValue
    private let subject: String

    /// - Throws: `.badInput` for another format or number of members.
    init(_ json: JSONValue, _ subject: String, _ format: String, memberCount: Int) throws(KeyStoreError) {
        self.json = json
        self.subject = subject
        guard let members = json.members else { throw KeyStoreError(.badInput, subject, "it is not an object") }
        guard json["format"]?.text == format else {
            throw KeyStoreError(.badInput, subject, "its format is not \(format)")
        }
        guard members.count == memberCount else {
            throw KeyStoreError(.badInput, subject, "it has not exactly the members of \(format)")
        }
    }

    func text(_ name: String) throws(KeyStoreError) -> String {
        guard let text = json[name]?.text else { throw KeyStoreError(.badInput, subject, "\(name): not a string") }
        return text
    }

    func integer(_ name: String) throws(KeyStoreError) -> Int64 {
        guard let integer = json[name]?.plainInteger else {
            throw KeyStoreError(.badInput, subject, "\(name): not a plain whole number")
        }
        return integer
    }

    func bytes(_ name: String) throws(KeyStoreError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name)) else {
            throw KeyStoreError(.badInput, subject, "\(name): not base64url")
        }
        return bytes
    }
}
