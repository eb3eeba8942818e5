/// The claims that are for showing and for the app: everything but who, when and which.
public struct Content: Sendable, Equatable {
    public var title: String?
    public var subtitle: String?
    public var body: String?
    public var localizedTitle: LocalizedText?
    public var localizedBody: LocalizedText?
    /// 1 to 64 bytes.
    public var thread: String?
    /// 1 to 64 bytes.
    public var category: String?
    public var image: ImageReference?
    /// Handed to the app as user info; names and numbers as written.
    public var data: [JSONMember]?
    /// Whether the sealer shortened ``body``.
    public var isTruncated = false

    public init() {}

    /// Reads the claims that are content out of a claims set or a request; others are passed over.
    /// - Throws: ``FormatError`` naming a claim of a wrong type.
    package init(claims json: JSONValue) throws(FormatError) {
        title = try ClaimReader.text(json, "title")
        subtitle = try ClaimReader.text(json, "subtitle")
        body = try ClaimReader.text(json, "body")
        localizedTitle = try Self.localized(json, "loc_title")
        localizedBody = try Self.localized(json, "loc_body")
        thread = try ClaimReader.text(json, "thread")
        category = try ClaimReader.text(json, "category")
        if let value = json["image"] { image = try ImageReference(value) }
        if let value = json["data"] {
            guard let members = value.members else { throw FormatError(field: "data", reason: "not an object") }
            data = members
        }
        if let value = json["trunc"] {
            guard value == .bool(true) else { throw FormatError(field: "trunc", reason: "neither true nor absent") }
            isTruncated = true
        }
    }

    private static func localized(_ json: JSONValue, _ name: String) throws(FormatError) -> LocalizedText? {
        guard let value = json[name] else { return nil }
        return try LocalizedText(value, in: name)
    }

    /// - Throws: ``FormatError`` when there is nothing to show, a thread or category is not of 1 to 64 bytes, or what was
    ///   put together here could not be read as strict JSON.
    package func check() throws(FormatError) {
        guard title != nil || body != nil || localizedTitle != nil || localizedBody != nil else {
            throw FormatError(field: "body", reason: "one of title, body, loc_title, loc_body is needed")
        }
        // Most messages have none of these, and to find that out should cost nothing.
        if thread != nil || category != nil || data != nil || localizedTitle != nil || localizedBody != nil {
            try checkParts()
        }
    }

    private func checkParts() throws(FormatError) {
        if let thread { try Self.check(thread, "thread") }
        if let category { try Self.check(category, "category") }
        // Inside the claims set, which is one container itself.
        if let data, !JSONValue.object(data).isStrict(containers: JSONReader.maximumDepth - 1) {
            throw FormatError(field: "data", reason: "not strict JSON, or too deep")
        }
        if let localizedTitle { try Self.check(localizedTitle, "loc_title") }
        if let localizedBody { try Self.check(localizedBody, "loc_body") }
    }

    private static func check(_ text: LocalizedText, _ name: String) throws(FormatError) {
        guard text.json.isStrict(containers: JSONReader.maximumDepth - 1) else {
            throw FormatError(field: "\(name).args", reason: "a name twice")
        }
    }

    private static func check(_ value: String, _ name: String) throws(FormatError) {
        guard (1...64).contains(value.utf8.count) else {
            throw FormatError(field: name, reason: "\(value.utf8.count) bytes where 1 to 64 are allowed")
        }
    }

    /// The claims by their names, in the order of the profile's table.
    public var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(name, value)) }
        }
        add("title", title.map { .string($0) })
        add("subtitle", subtitle.map { .string($0) })
        add("body", body.map { .string($0) })
        add("loc_title", localizedTitle?.json)
        add("loc_body", localizedBody?.json)
        add("thread", thread.map { .string($0) })
        add("category", category.map { .string($0) })
        add("image", image?.json)
        add("data", data.map { .object($0) })
        add("trunc", isTruncated ? .bool(true) : nil)
        return .object(members)
    }

    public static func == (left: Content, right: Content) -> Bool { left.json == right.json }
}

/// What it says is for the one who opened it, and not for logs.
extension Content: CustomStringConvertible, CustomReflectable {
    public var description: String { "Content" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
