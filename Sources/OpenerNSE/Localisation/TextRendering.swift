public import EnvelopeFormat

/// Makes the text of a notification out of the app's templates.
public protocol TextRendering: Sendable {
    /// - Returns: nil where no language has that key.
    func text(of text: LocalizedText) -> String?
}
