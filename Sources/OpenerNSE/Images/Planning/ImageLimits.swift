/// What an image may cost, and what the system takes.
public struct ImageLimits: Sendable {
    /// Pixels of the longer side of what is shown, at most.
    public var longestSide = 1024
    /// Bytes that are fetched, at most, and of a sealed attachment once it is open.
    public var fetchedByteCount = 10_000_000
    /// Bytes of a file that is attached as it is: iOS takes images of 10 MB.
    public var unscaledByteCount = 10_000_000
    /// Pixels of such a file, at most: the system decodes it in its own process, with more room than an extension has.
    public var unscaledPixelCount = 25_000_000
    /// Pixels that are decoded here, at most; they bound the time.
    public var scaledPixelCount = 50_000_000
    /// The longer side of an image that is decoded here, at most; it bounds a row.
    public var scaledSide = 65_535
    /// Bytes that decoding may add to what the process holds anyway. An extension is killed near 24 MB and holds some 10 before.
    public var decodingByteCount = 8_000_000

    public init() {}
}
