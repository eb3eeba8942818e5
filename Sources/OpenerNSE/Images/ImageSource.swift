public import EnvelopeFormat

/// Where an image is, and how it is checked.
public enum ImageSource: Sendable {
    /// Out of the seal.
    case claimed(ImageReference)
    /// In the clear, of a notification that was never sealed.
    case clear(url: String)
}

/// Gets an image and makes it fit to be shown.
public protocol ImageAttaching: Sendable {
    /// Blocks until the image is there, or cannot be had, or the time is up.
    /// - Parameters:
    ///   - budget: how long it may take.
    ///   - isWanted: asked now and then; false once the notification was delivered without it.
    func attach(
        _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
    ) throws(ImageFailure) -> AttachedImage
}
