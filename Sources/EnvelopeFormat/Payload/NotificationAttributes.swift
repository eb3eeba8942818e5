/// The members of `aps` that a caller chooses; `mutable-content` is always written and never given.
public struct NotificationAttributes: Sendable, Equatable {
    /// In the order they are written in.
    private static let names = ["sound", "badge", "category", "thread-id", "interruption-level", "relevance-score"]
    private static let alertNames = ["title", "title-loc-key", "body", "loc-key"]

    private let alert: [JSONMember]
    private let others: [JSONMember]

    /// - Parameters:
    ///   - alert: members among `title`, `title-loc-key`, `body`, `loc-key`; at least one.
    ///   - others: members among `sound`, `badge`, `category`, `thread-id`, `interruption-level`, `relevance-score`.
    /// - Throws: ``FormatError`` for another member or a value of a wrong type.
    public init(alert: [JSONMember], others: [JSONMember] = []) throws(FormatError) {
        self.alert = try Self.ordered(alert, Self.alertNames, "alert")
        self.others = try Self.ordered(others, Self.names, "aps")
        guard !alert.isEmpty else { throw FormatError(field: "aps.alert", reason: "empty") }
        for member in alert where member.value.text == nil {
            throw FormatError(field: "aps.alert.\(member.name)", reason: "not a string")
        }
        for member in others where !Self.isAllowed(member) {
            throw FormatError(field: "aps.\(member.name)", reason: "a value of a wrong type")
        }
    }

    /// Reads an object of `aps` without `mutable-content`.
    public init(_ json: JSONValue) throws(FormatError) {
        guard let members = json.members, let alert = json["alert"]?.members else {
            throw FormatError(field: "aps", reason: "not an object with an alert that is an object")
        }
        try self.init(alert: alert, others: members.filter { !$0.name.isSame(as: "alert") })
    }

    private static func ordered(
        _ members: [JSONMember], _ names: [String], _ outer: String
    ) throws(FormatError) -> [JSONMember] {
        let known = names.compactMap { name in members.first { $0.name.isSame(as: name) } }
        guard known.count == members.count else {
            throw FormatError(field: outer, reason: "a member that is unknown or there twice")
        }
        return known
    }

    private static func isAllowed(_ member: JSONMember) -> Bool {
        // Inside the payload and `aps`, which are two containers themselves: an opener reads the whole payload strictly.
        guard member.value.isStrict(containers: JSONReader.maximumDepth - 2) else { return false }
        return switch (member.name, member.value) {
        case ("sound", .string), ("sound", .object), ("relevance-score", .number): true
        case ("badge", let value): value.plainInteger != nil
        case ("category", .string), ("thread-id", .string), ("interruption-level", .string): true
        default: false
        }
    }

    var json: JSONValue {
        .object([JSONMember("alert", .object(alert)), JSONMember("mutable-content", .number("1"))] + others)
    }
}
