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

    public init(
        type: ImageType, width: Int, height: Int, traits: ImageTraits = [], orientation: Int = 1, coefficientByteCount: Int = 0
    ) {
        self.type = type
        self.width = width
        self.height = height
        self.traits = traits
        self.orientation = orientation
        self.coefficientByteCount = coefficientByteCount
    }

    /// Sides are of 31 bits at most.
    public var pixelCount: Int { width * height }
    public var longerSide: Int { max(width, height) }
}
