/// From the start of a PNG to its first pixels.
struct PNGScanner: HeaderScanner {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The most that is read of a chunk here.
    private static let chunkLimit = 64 << 10
    private enum Place {
        case start, chunk, orientation
    }

    private var place = Place.start
    private var width = 0
    private var height = 0
    private var traits: ImageTraits = []
    private var orientation = 1
    private var needsPalette = false

    /// The signature and the first chunk, without its checksum.
    var first: HeaderStep { .take(29) }

    mutating func next(_ bytes: [UInt8]) -> HeaderStep {
        switch place {
        case .start: return start(bytes)
        case .chunk: return chunk(bytes)
        case .orientation:
            orientation = EXIFOrientation.find(in: bytes) ?? 1
            place = .chunk
            return .take(8, after: 4)
        }
    }

    private mutating func start(_ bytes: [UInt8]) -> HeaderStep {
        guard bytes.big(8, 4) == 13, bytes.has("IHDR", at: 12) else { return .failed("the first chunk is not IHDR") }
        width = bytes.big(16, 4)
        height = bytes.big(20, 4)
        guard (1..<1 << 31).contains(width), (1..<1 << 31).contains(height) else { return .failed("a width or height of no size") }
        let depth = bytes[24]
        let kind = bytes[25]
        let depths: [UInt8: [UInt8]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard depths[kind]?.contains(depth) == true else { return .failed("a colour type and depth that do not go together") }
        guard bytes[26] == 0, bytes[27] == 0, bytes[28] <= 1 else { return .failed("an unknown compression, filter or interlacing") }
        if kind >= 4 { traits.insert(.alpha) }
        if bytes[28] == 1 { traits.insert(.interlaced) }
        needsPalette = kind == 3
        place = .chunk
        return .take(8, after: 4)
    }

    private mutating func chunk(_ bytes: [UInt8]) -> HeaderStep {
        let length = bytes.big(0, 4)
        guard length < 1 << 31 else { return .failed("a chunk longer than chunks are") }
        switch String(decoding: bytes[4...], as: UTF8.self) {
        case "IHDR": return .failed("two IHDR")
        case "IEND": return .failed("no IDAT")
        case "PLTE": needsPalette = false
        case "tRNS": traits.insert(.alpha)
        case "acTL": traits.insert(.animated)
        case "eXIf" where (1...Self.chunkLimit).contains(length):
            place = .orientation
            return .take(length)
        case "IDAT":
            guard !needsPalette else { return .failed("IDAT before PLTE") }
            return .done(ImageHeader(type: .png, width: width, height: height, traits: traits, orientation: orientation))
        default:
            let isName = bytes[4...].allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
            guard isName else { return .failed("a chunk whose name is not four letters") }
        }
        return .take(8, after: length + 4)
    }
}
