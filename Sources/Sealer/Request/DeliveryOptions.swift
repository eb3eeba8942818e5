import EnvelopeFormat

/// What goes to APNs beside the payload, as HTTP headers.
public struct DeliveryOptions: Sendable, Equatable {
    /// The kinds of push that reach a Notification Service Extension or an app that opens by itself.
    public enum PushType: String, Sendable, CaseIterable {
        case alert
        case voip
    }

    public var topic: String?
    /// 1 to 64 bytes.
    public var collapseIdentifier: String?
    /// 1, 5 or 10; 10 unless given.
    public var priority: Int?
    public var pushType: PushType

    public init(
        topic: String? = nil, collapseIdentifier: String? = nil, priority: Int? = nil, pushType: PushType = .alert
    ) {
        self.topic = topic
        self.collapseIdentifier = collapseIdentifier
        self.priority = priority
        self.pushType = pushType
    }

    /// Reads `{topic, collapse_id, priority, push_type}`.
    init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "apns", ["topic", "collapse_id", "priority", "push_type"])
        topic = try reader.text("topic")
        collapseIdentifier = try reader.text("collapse_id")
        priority = try reader.integer("priority").map { Int($0) }
        pushType = try reader.word("push_type", PushType.self) ?? .alert
    }

    /// - Throws: ``FormatError`` for what could not stand in a header, or APNs would refuse.
    func check() throws(FormatError) {
        // Most say nothing of it, and to find that out should cost nothing.
        if topic != nil || collapseIdentifier != nil || priority != nil { try checkValues() }
    }

    private func checkValues() throws(FormatError) {
        if let topic { try Self.check(header: topic, "topic") }
        if let collapseIdentifier {
            try Self.check(header: collapseIdentifier, "collapse_id")
            guard collapseIdentifier.utf8.count <= 64 else {
                throw FormatError(
                    field: "apns.collapse_id", reason: "\(collapseIdentifier.utf8.count) bytes where 64 are allowed")
            }
        }
        if let priority, priority != 1, priority != 5, priority != 10 {
            throw FormatError(field: "apns.priority", reason: "neither 1, 5 nor 10")
        }
    }

    private static func check(header value: String, _ name: String) throws(FormatError) {
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw FormatError(field: "apns.\(name)", reason: "empty, or a control character in it")
        }
    }

    /// The most bytes APNs takes as a payload.
    var limit: Int { pushType == .voip ? PayloadLimit.voip : PayloadLimit.standard }

    func headers(expiration: Int64) -> [(name: String, value: String)] {
        var headers = [
            (name: "apns-push-type", value: pushType.rawValue), (name: "apns-priority", value: String(priority ?? 10)),
            (name: "apns-expiration", value: String(expiration)),
        ]
        if let collapseIdentifier { headers.append((name: "apns-collapse-id", value: collapseIdentifier)) }
        if let topic { headers.append((name: "apns-topic", value: topic)) }
        return headers
    }
}
