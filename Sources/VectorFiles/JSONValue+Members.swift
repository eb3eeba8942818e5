import EnvelopeFormat

extension JSONValue {
    /// The text of a member that has to be there.
    func text(_ name: String) throws(FormatError) -> String {
        guard let text = self[name]?.text else { throw FormatError(field: name, reason: "missing or not a string") }
        return text
    }

    /// The bytes of a member of hexadecimal digits.
    func bytes(_ name: String) throws(FormatError) -> [UInt8] { try Hexadecimal.bytes(try text(name), name) }

    /// The bytes of a member of base64url.
    func base64URL(_ name: String) throws(FormatError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name)) else { throw FormatError(field: name, reason: "not base64url") }
        return bytes
    }

    /// The elements of an array that has to be there.
    func elements(_ name: String) throws(FormatError) -> [JSONValue] {
        guard case .array(let values)? = self[name] else { throw FormatError(field: name, reason: "missing or not an array") }
        return values
    }

    /// A whole number that has to be there.
    func integer(_ name: String) throws(FormatError) -> Int {
        guard let number = self[name]?.plainInteger else { throw FormatError(field: name, reason: "missing or not a whole number") }
        return Int(number)
    }
}
