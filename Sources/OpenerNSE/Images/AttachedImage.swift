/// An image file that is shown with a notification.
public struct AttachedImage: Sendable, Equatable {
    /// With the file name extension of its type, by which the system knows it.
    public let path: String
    public let type: ImageType
    /// Whether it is as it was fetched, and not made smaller here.
    public let isUnscaled: Bool

    public init(path: String, type: ImageType, isUnscaled: Bool) {
        self.path = path
        self.type = type
        self.isUnscaled = isUnscaled
    }
}
