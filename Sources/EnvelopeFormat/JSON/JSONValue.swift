/// A value of JSON (RFC 8259) as the strict reader gives it: members in order, numbers as the tokens they were written with.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The token, by JSON's grammar.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// The members of an object, nil for any other value.
    public var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text of a string, nil for any other value.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number of 0 to 2^53-1 written plainly (no sign, fraction or exponent), nil for any other value.
    public var plainInteger: Int64? {
        guard case .number(let token) = self, token.utf8.count <= 16,
            token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int64(token), value <= 9_007_199_254_740_991
        else { return nil }
        return value
    }

    /// The value of an object's member, its name compared code point by code point; nil when absent or no object.
    public subscript(_ name: String) -> JSONValue? {
        members?.first { $0.name.isSame(as: name) }?.value
    }
}

extension JSONValue: Equatable {
    /// Strings and names compare code point by code point, numbers by their tokens, members in order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)): left.isSame(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}
