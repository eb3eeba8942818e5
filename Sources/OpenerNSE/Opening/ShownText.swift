package import EnvelopeFormat

/// What a person sees of a notification.
public struct ShownText: Sendable, Equatable {
    public var title: String?
    public var subtitle: String?
    public var body: String?

    public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// The text of an opened message: rendered where there is a template for it, else the claims' own, else the placeholder's.
    package init(_ content: Content, rendering: (any TextRendering)? = nil, placeholder: ShownText) {
        let rendered = rendering?.texts(title: content.localizedTitle, body: content.localizedBody)
        title = rendered?.title ?? content.title ?? (content.localizedTitle == nil ? nil : placeholder.title)
        subtitle = content.subtitle
        body = rendered?.body ?? content.body ?? (content.localizedBody == nil ? nil : placeholder.body)
        if title == nil, body == nil { body = placeholder.body }
    }
}

/// What it says is for the one who is shown it, and not for logs.
extension ShownText: CustomStringConvertible, CustomReflectable {
    public var description: String { "ShownText" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
