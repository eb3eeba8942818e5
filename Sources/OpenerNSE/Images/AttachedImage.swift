/// An image file that is shown with a notification.
public struct AttachedImage: Sendable, Equatable {
    /// With the file name extension of its type, by which the system knows it.
    public let path: String
    public let type: ImageType
    /// Why it is as it was fetched; nil where it was made smaller here.
    public let unscaled: UnscaledReason?

    public init(path: String, type: ImageType, unscaled: UnscaledReason? = nil) {
        self.path = path
        self.type = type
        self.unscaled = unscaled
    }
}
