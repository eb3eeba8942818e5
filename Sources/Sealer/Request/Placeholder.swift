import EnvelopeFormat

/// What is shown of a push that is not opened: generic text, or keys of the app's own strings; no content.
public struct Placeholder: Sendable, Equatable {
    /// The canonical `body` where only keys are given, and where nothing is.
    public static let standardBody = "New message"
    /// In bytes: it leaves most of the room to what is sealed.
    public static let longestText = 512

    public var title: String?
    public var titleLocKey: String?
    public var body: String?
    public var locKey: String?

    public init(title: String? = nil, titleLocKey: String? = nil, body: String? = nil, locKey: String? = nil) {
        self.title = title
        self.titleLocKey = titleLocKey
        self.body = body
        self.locKey = locKey
    }

    /// Reads `{title | title_loc_key, body | loc_key}`.
    init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "placeholder", ["title", "title_loc_key", "body", "loc_key"])
        title = try reader.text("title")
        titleLocKey = try reader.text("title_loc_key")
        body = try reader.text("body")
        locKey = try reader.text("loc_key")
        try check()
    }

    func check() throws(FormatError) {
        guard title == nil || titleLocKey == nil else {
            throw FormatError(field: "placeholder", reason: "both title and title_loc_key")
        }
        guard body == nil || locKey == nil else { throw FormatError(field: "placeholder", reason: "both body and loc_key") }
        // An alert that shows nothing keeps the extension from ever running.
        for (name, text) in [("title", title), ("title_loc_key", titleLocKey), ("body", body), ("loc_key", locKey)] {
            guard let text else { continue }
            guard (1...Self.longestText).contains(text.utf8.count) else {
                throw FormatError(
                    field: "placeholder.\(name)", reason: "\(text.utf8.count) bytes where 1 to \(Self.longestText) are allowed")
            }
        }
    }

    /// The members of `alert`.
    var alert: [JSONMember] {
        var members: [JSONMember] = []
        if let title { members.append(JSONMember("title", .string(title))) }
        if let titleLocKey { members.append(JSONMember("title-loc-key", .string(titleLocKey))) }
        if let locKey {
            members.append(JSONMember("loc-key", .string(locKey)))
        } else {
            members.append(JSONMember("body", .string(canonicalBody)))
        }
        return members
    }

    /// The canonical envelope's `body`.
    var canonicalBody: String { body ?? Self.standardBody }

    /// By code points, as two texts may be the same to Swift and not on the wire.
    public static func == (left: Placeholder, right: Placeholder) -> Bool {
        left.title.isSame(as: right.title) && left.titleLocKey.isSame(as: right.titleLocKey)
            && left.body.isSame(as: right.body) && left.locKey.isSame(as: right.locKey)
    }
}

extension Optional<String> {
    /// Whether both are absent, or the same code points.
    func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isSame(as: right)
        default: false
        }
    }
}
