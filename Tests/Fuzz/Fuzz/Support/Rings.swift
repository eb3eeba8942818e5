import EnvelopeFormat

/// The devices of the vectors that inputs are offered to, as docs/spec/cases.md has them. Their keys are made up.
struct Rings {
    let json: JSONValue

    /// A device for messages.
    func messages() throws -> FuzzDevice { try FuzzDevice(json["messages"] ?? .null) }

    /// A device for bundles.
    func bundles() throws -> FuzzDevice { try FuzzDevice(json["bundles"] ?? .null) }
}

extension JSONValue {
    /// The text of a member.
    func text(_ name: String) throws -> String {
        guard let text = self[name]?.text else { throw FormatError(field: name, reason: "not a string") }
        return text
    }

    /// The bytes of a member in base64url.
    func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name)) else { throw FormatError(field: name, reason: "not base64url") }
        return bytes
    }
}
