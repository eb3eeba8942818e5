public import CryptoPrimitives
public import EnvelopeFormat

/// What is said between the simulator and the extension it runs: JSON, and beside it the bytes of a key or of a file.
public struct ChannelMessage: Sendable {
    public var json: JSONValue
    /// 32 bytes; never in the JSON.
    public var secrets: [SymmetricKey]
    /// A piece of a file that is fetched.
    public var bytes: [UInt8]

    public init(_ json: JSONValue, secrets: [SymmetricKey] = [], bytes: [UInt8] = []) {
        self.json = json
        self.secrets = secrets
        self.bytes = bytes
    }

    /// A call by its name.
    public init(_ name: String, _ members: [JSONMember] = [], secrets: [SymmetricKey] = [], bytes: [UInt8] = []) {
        self.init(.object([JSONMember("call", .string(name))] + members), secrets: secrets, bytes: bytes)
    }

    public var name: String? { json["call"]?.text }
}
