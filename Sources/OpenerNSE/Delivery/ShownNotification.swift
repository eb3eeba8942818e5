public import EnvelopeFormat

/// What is shown in the place of a notification that came.
///
/// Of what came outside the seal only sound, badge, interruption level and relevance may stay (envelope spec, section 3.4);
/// of one that was ``Base/received`` everything does.
public struct ShownNotification: Sendable {
    /// Where the text and all but the exceptions are from.
    public enum Base: String, Sendable, CaseIterable {
        /// The notification as it came: it was never sealed.
        case received
        /// The app's own placeholder: it did not open.
        case placeholder
        /// The seal.
        case claims
    }

    public var base: Base
    /// What opening came to; ``Outcome/timeExpired`` where the time was up first.
    public var outcome: Outcome
    /// Of ``Base/received`` what it says is not looked at.
    public var text: ShownText
    public var thread: String?
    public var category: String?
    /// For the app, out of the seal.
    public var userInfo: [JSONMember] = []
    public var attachment: AttachedImage?
    /// Whether it makes no sound: it was shown before.
    public var isSilent = false
    /// Whether it opened without a record that says it is the first time.
    public var isReplayUnchecked = false
    /// Whether it need not be shown at all, where the app may hold notifications back: it was shown before, and that was confirmed.
    public var isSuppressible = false

    /// The app's placeholder.
    public init(placeholder: ShownText, outcome: Outcome) {
        base = .placeholder
        self.outcome = outcome
        text = placeholder
    }

    /// The notification as it came.
    public static var received: ShownNotification {
        var shown = ShownNotification(placeholder: ShownText(), outcome: .notSealed)
        shown.base = .received
        return shown
    }

    /// What was sealed, with the text that was made of it.
    init(_ content: Content, text: ShownText, outcome: Outcome) {
        base = .claims
        self.outcome = outcome
        self.text = text
        thread = content.thread
        category = content.category
        userInfo = content.data ?? []
        isSilent = outcome == .duplicate
    }
}

/// What it says is for the one who is shown it, and not for logs.
extension ShownNotification: CustomStringConvertible, CustomReflectable {
    public var description: String { "ShownNotification(\(base.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
