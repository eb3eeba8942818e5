import EnvelopeFormat

/// All that decides about a payload but for its sealed part.
struct FrameKey: Equatable {
    let type: String
    let placeholder: Placeholder
    let attributes: RequestAttributes
    let imageURL: String?
    let platform: Platform
    let isObject: Bool
    let limit: Int

    func frame() throws(FormatError) -> PayloadFrame {
        try placeholder.check()
        return try PayloadFrame(
            type: type, body: placeholder.canonicalBody, imageURL: imageURL,
            attributes: platform == .apns
                ? try NotificationAttributes(alert: placeholder.alert, others: attributes.members) : nil,
            isObject: isObject, limit: limit)
    }

    static func == (left: FrameKey, right: FrameKey) -> Bool {
        left.platform == right.platform && left.isObject == right.isObject && left.limit == right.limit
            && left.type.isSame(as: right.type) && left.imageURL.isSame(as: right.imageURL)
            && left.placeholder == right.placeholder && left.attributes == right.attributes
    }
}
