/// A `loc_title` or `loc_body` claim: a text that the device renders from the app's templates.
public struct LocalizedText: Sendable, Equatable {
    public let key: String
    /// Names and values to substitute, in the order given.
    public let arguments: [(name: String, value: String)]

    public init(key: String, arguments: [(name: String, value: String)]) {
        self.key = key
        self.arguments = arguments
    }

    init(_ json: JSONValue, in claim: String) throws(FormatError) {
        guard json.members != nil, let key = json["key"]?.text else {
            throw FormatError(field: claim, reason: "not an object with a key that is a string")
        }
        guard let members = json["args"]?.members else {
            throw FormatError(field: "\(claim).args", reason: "not an object")
        }
        var arguments: [(name: String, value: String)] = []
        for member in members {
            guard let value = member.value.text else {
                throw FormatError(field: "\(claim).args", reason: "holds something other than strings")
            }
            arguments.append((member.name, value))
        }
        self.init(key: key, arguments: arguments)
    }

    public static func == (left: LocalizedText, right: LocalizedText) -> Bool { left.json == right.json }

    var json: JSONValue {
        .object([
            JSONMember("key", .string(key)),
            JSONMember("args", .object(arguments.map { JSONMember($0.name, .string($0.value)) })),
        ])
    }
}

/// What it says is for the one who opened it, and not for logs.
extension LocalizedText: CustomStringConvertible, CustomReflectable {
    public var description: String { "LocalizedText" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
