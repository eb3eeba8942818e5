public import EnvelopeFormat

/// Makes the text of a notification out of the app's templates.
public protocol TextRendering: Sendable {
    /// Both texts of one notification at once, so that one look at the templates does for both.
    /// - Returns: nil for what is not asked for, and where no language has a text under that key that can be used.
    func texts(title: LocalizedText?, body: LocalizedText?) -> (title: String?, body: String?)
}
