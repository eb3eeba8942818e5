/// The first bytes of a file are no header of an image that is shown.
public struct ImageHeaderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// nil where they are of no type that is known.
    public let type: ImageType?
    public let reason: String

    public var description: String { "\(type?.rawValue ?? "image"): \(reason)" }

    /// What a notification goes without its image for.
    public var failure: ImageFailure { type == nil ? .type : .decoding }
}
