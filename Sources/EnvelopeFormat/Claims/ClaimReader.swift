/// Reads members of fixed types out of an object: absent is nil, another type is an error.
enum ClaimReader {
    static func text(_ json: JSONValue, _ name: String, in outer: String? = nil) throws(FormatError) -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.text else { throw FormatError(field: field(name, outer), reason: "not a string") }
        return text
    }

    static func requiredText(_ json: JSONValue, _ name: String) throws(FormatError) -> String {
        guard let text = try text(json, name) else { throw FormatError(field: name, reason: "missing") }
        return text
    }

    static func integer(_ json: JSONValue, _ name: String) throws(FormatError) -> Int64? {
        guard let value = json[name] else { return nil }
        guard let integer = value.plainInteger else {
            throw FormatError(field: name, reason: "not a plain whole number of 0 to 2^53-1")
        }
        return integer
    }

    static func requiredInteger(_ json: JSONValue, _ name: String) throws(FormatError) -> Int64 {
        guard let integer = try integer(json, name) else { throw FormatError(field: name, reason: "missing") }
        return integer
    }

    private static func field(_ name: String, _ outer: String?) -> String { outer.map { "\($0).\(name)" } ?? name }
}
