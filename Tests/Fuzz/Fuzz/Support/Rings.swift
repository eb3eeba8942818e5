import EnvelopeFormat

/// The devices of the vectors that inputs are offered to, as docs/spec/cases.md has them. Their keys are made up.
struct Rings {
    let json: JSONValue

    /// A device for messages.
    func messages() throws -> FuzzDevice { try FuzzDevice(json["messages"] ?? .null) }

    /// A device for bundles.
    func bundles() throws -> FuzzDevice { try FuzzDevice(json["bundles"] ?? .null) }
}
