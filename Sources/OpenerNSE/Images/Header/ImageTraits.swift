/// What an image's header says of how it has to be decoded.
public struct ImageTraits: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A JPEG in several scans, progressive or not: its decoder holds all of it.
    public static let severalScans = ImageTraits(rawValue: 1)
    /// A JPEG that hardly anything shows: arithmetic coding, not 8 bits a sample, lossless or hierarchical.
    public static let uncommon = ImageTraits(rawValue: 2)
    /// A JPEG of four inks.
    public static let inks = ImageTraits(rawValue: 4)
    /// A PNG or GIF whose rows do not come from the top to the bottom.
    public static let interlaced = ImageTraits(rawValue: 8)
    /// A PNG or WebP that moves, or a GIF that says before its first frame that it does.
    public static let animated = ImageTraits(rawValue: 16)
    /// A WebP whose pixels are coded without loss.
    public static let lossless = ImageTraits(rawValue: 32)
    /// There may be transparency.
    public static let alpha = ImageTraits(rawValue: 64)
    /// A WebP coded with loss that has its transparency beside: a plane of its own, held whole.
    public static let alphaPlane = ImageTraits(rawValue: 128)
}
