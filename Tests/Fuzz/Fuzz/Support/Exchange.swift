import EnvelopeFormat

/// What the second implementation is asked, and what was answered here.
enum Exchange {
    /// The bytes that were read, and what came out of them, written again.
    static func reading(_ input: [UInt8], _ result: [UInt8]?) -> JSONValue {
        let result = isPlanted(.agreement) ? [0x21] : result
        return .object([
            JSONMember("input_b64", .string(Base64.encode(input))),
            JSONMember("answer", result.map { .string(Base64.encode($0)) } ?? .null),
        ])
    }

    /// A text or payload that was offered to a device.
    static func offer(_ name: String, _ offered: [UInt8], _ circumstances: Circumstances, _ answer: JSONValue) -> JSONValue {
        .object([
            JSONMember(name, .string(Base64.encode(offered))), JSONMember("env", circumstances.json), JSONMember("answer", answer),
        ])
    }
}
