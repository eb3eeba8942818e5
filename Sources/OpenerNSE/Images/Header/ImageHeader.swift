/// What the first bytes of an image file say, before anything of it is decoded.
public struct ImageHeader: Sendable, Equatable {
    public let type: ImageType
    /// Pixels as they are stored, 1 or more; of a GIF or WebP that moves, of the whole picture.
    public let width: Int
    public let height: Int
    public let traits: ImageTraits
    /// 1 to 8, as in EXIF; 1 where the file says nothing.
    public let orientation: Int
    /// The bytes of a JPEG's coefficients, all of which a decoder holds at once where there are several scans; 0 for other types.
    public let coefficientByteCount: Int
    /// Pixels of what is decoded: of a WebP that moves its first frame's, of all others the whole picture's.
    public let framePixelCount: Int

    public init(
        type: ImageType, width: Int, height: Int, traits: ImageTraits = [], orientation: Int = 1, coefficientByteCount: Int = 0,
        framePixelCount: Int? = nil
    ) {
        self.type = type
        self.width = width
        self.height = height
        self.traits = traits
        self.orientation = orientation
        self.coefficientByteCount = coefficientByteCount
        self.framePixelCount = framePixelCount ?? width * height
    }

    /// Sides are of 31 bits at most.
    public var pixelCount: Int { width * height }
    public var longerSide: Int { max(width, height) }
}
