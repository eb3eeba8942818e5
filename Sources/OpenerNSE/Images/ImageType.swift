/// The types of image that a notification may have.
public enum ImageType: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp, heic

    /// Of a file's name.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
