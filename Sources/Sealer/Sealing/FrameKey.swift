import EnvelopeFormat

/// All of a request that decides about a payload but for its sealed part, beside the store's defaults.
struct FrameKey {
    let type: String?
    let placeholder: Placeholder?
    let attributes: RequestAttributes
    let imageURL: String?
    let platform: Platform
    let isObject: Bool
    let limit: Int
    /// Whether the request leaves all of it to the defaults, as most do.
    private let isPlain: Bool

    init(_ request: SealRequest, platform: Platform, isObject: Bool, limit: Int) {
        type = request.type
        placeholder = request.placeholder
        attributes = request.attributes
        imageURL = request.imageURL
        self.platform = platform
        self.isObject = isObject
        self.limit = limit
        isPlain = Self.isPlain(request)
    }

    func frame(_ defaults: SealDefaults) throws(FormatError) -> PayloadFrame {
        let placeholder = placeholder ?? defaults.placeholder
        try placeholder.check()
        return try PayloadFrame(
            type: type ?? defaults.type, body: placeholder.canonicalBody, imageURL: imageURL,
            attributes: platform == .apns
                ? try NotificationAttributes(alert: placeholder.alert, others: attributes.members) : nil,
            isObject: isObject, limit: limit)
    }

    /// Whether the request comes to the same frame; nothing of it is copied to tell.
    func matches(_ request: SealRequest, platform: Platform, isObject: Bool, limit: Int) -> Bool {
        guard self.platform == platform, self.isObject == isObject, self.limit == limit else { return false }
        if isPlain { return Self.isPlain(request) }
        return type.isSame(as: request.type) && imageURL.isSame(as: request.imageURL)
            && placeholder == request.placeholder && attributes == request.attributes
    }

    private static func isPlain(_ request: SealRequest) -> Bool {
        // Not by ==, which would copy the placeholder.
        if case .some = request.placeholder { return false }
        return request.type == nil && request.imageURL == nil && request.attributes.members.isEmpty
    }
}
