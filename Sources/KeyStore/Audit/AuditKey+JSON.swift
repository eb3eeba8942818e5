internal import CryptoPrimitives
internal import EnvelopeFormat

extension AuditKey {
    /// The word that says what the document is.
    static let format = "waxwing-audit-key/1"

    /// Reads the document that ``json()`` makes, of exactly its members. The caller wipes the bytes.
    /// - Throws: `.badInput` saying what is wrong.
    public init(parsing bytes: [UInt8]) throws(KeyStoreError) {
        let (json, key): (JSONValue, SymmetricKey)
        do { (json, key) = try JSONValue.parse(bytes, keyMember: "start_key") } catch {
            throw KeyStoreError(.badInput, "audit key", error.description)
        }
        let reader = try AuditDocumentReader(json, "audit key", Self.format, memberCount: 4)
        try self.init(
            log: try reader.text("log"), startKey: key, checkpointKey: try reader.bytes("checkpoint_key"))
    }

    /// The document as compact JSON. It holds the start key: the caller wipes it.
    public func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
        writer.append(#"{"format":"#)
        writer.append(quoted: Self.format)
        writer.append(#","log":"#)
        writer.append(quoted: log)
        writer.append(#","start_key":""#)
        writer.append(base64URL: startKey)
        writer.append(#"","checkpoint_key":"#)
        writer.append(quoted: Base64URL.encode(checkpointKey))
        writer.append(UInt8(ascii: "}"))
        return writer.bytes
    }
}
