internal import EnvelopeFormat

/// A signed statement of where an audit log stood, to be kept elsewhere: a log that was cut behind it, or made anew, is
/// found out.
public struct AuditCheckpoint: Equatable, Sendable {
    /// The word that says what the document is.
    static let format = "waxwing-audit-checkpoint/1"

    /// Which log it is of: 32 hexadecimal digits.
    public let log: String
    /// The number of the last entry.
    public let number: Int64
    /// The hash of that entry, 32 bytes.
    public let hash: [UInt8]
    /// When it was made, in seconds since 1970.
    public let at: Int64
    /// Ed25519, 64 bytes.
    public let signature: [UInt8]

    init(log: String, number: Int64, hash: [UInt8], at: Int64, key: SigningKey) throws(KeyStoreError) {
        self.log = log
        self.number = number
        self.hash = hash
        self.at = at
        let message = AuditChain.checkpoint(log: log, number: number, hash: hash, at: at)
        do { signature = try key.signature(of: message) } catch { throw KeyStoreError(error, "checkpoint") }
    }

    /// Reads the document that ``json()`` makes, of exactly its members. Its signature is not checked by that.
    /// - Throws: `.badInput` saying what is wrong.
    public init(parsing bytes: [UInt8]) throws(KeyStoreError) {
        let json: JSONValue
        do { json = try JSONValue.parse(bytes) } catch {
            throw KeyStoreError(.badInput, "checkpoint", error.description)
        }
        let reader = try AuditDocumentReader(json, "checkpoint", Self.format, memberCount: 6)
        log = try reader.text("log")
        number = try reader.integer("number")
        hash = try reader.bytes("hash")
        at = try reader.integer("at")
        signature = try reader.bytes("signature")
        guard Hexadecimal.decode(log)?.count == 16, hash.count == UnkeyedDigest.byteCount,
            signature.count == SigningKey.signatureByteCount
        else { throw KeyStoreError(.badInput, "checkpoint", "a member is not of its length") }
    }

    /// The document as compact JSON.
    public func json() -> [UInt8] {
        JSONValue.object([
            JSONMember("format", .string(Self.format)), JSONMember("log", .string(log)),
            JSONMember("number", .integer(number)), JSONMember("hash", .string(Base64URL.encode(hash))),
            JSONMember("at", .integer(at)), JSONMember("signature", .string(Base64URL.encode(signature))),
        ]).write()
    }

    func isSigned(by publicKey: [UInt8]) throws(KeyStoreError) -> Bool {
        let message = AuditChain.checkpoint(log: log, number: number, hash: hash, at: at)
        do { return try SigningKey.verify(signature, of: message, by: publicKey) } catch {
            throw KeyStoreError(error, "checkpoint")
        }
    }
}
