/// A name and its value in an object of JSON.
public struct JSONMember: Sendable, Equatable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    public static func == (left: JSONMember, right: JSONMember) -> Bool {
        left.name.isSame(as: right.name) && left.value == right.value
    }
}
