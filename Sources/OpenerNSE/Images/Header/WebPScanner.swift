/// From the start of a WebP to its first pixels, or to its EXIF behind them where it says that there is one.
struct WebPScanner: HeaderScanner {
    private static let chunkLimit = 64 << 10
    private enum Place {
        case start, lossy, lossless, extended, chunk, orientation
        case frame(length: Int)
    }

    private var place = Place.start
    private var width = 0
    private var height = 0
    private var traits: ImageTraits = []
    /// Of the first frame of what moves.
    private var framePixelCount: Int?
    private var hasOrientation = false
    private var hasPixels = false

    /// The container's head and that of the first chunk.
    var first: HeaderStep { .take(20) }

    mutating func next(_ bytes: [UInt8]) -> HeaderStep {
        switch place {
        case .start: return start(bytes)
        case .lossy: return lossy(bytes)
        case .lossless: return lossless(bytes)
        case .extended: return extended(bytes)
        case .chunk: return chunk(bytes)
        case .frame(let length): return frame(bytes, length)
        case .orientation: return done(EXIFOrientation.find(in: bytes.has("Exif\0\0", at: 0) ? Array(bytes.dropFirst(6)) : bytes))
        }
    }

    private mutating func start(_ bytes: [UInt8]) -> HeaderStep {
        let length = bytes.little(16, 4)
        guard bytes.little(4, 4) >= 18 else { return .failed("a container that is too short") }
        if bytes.has("VP8 ", at: 12), length >= 10 {
            place = .lossy
            return .take(10)
        }
        if bytes.has("VP8L", at: 12), length >= 5 {
            place = .lossless
            return .take(5)
        }
        guard bytes.has("VP8X", at: 12), length == 10 else { return .failed("the first chunk is neither VP8, VP8L nor VP8X") }
        place = .extended
        return .take(10)
    }

    private mutating func lossy(_ bytes: [UInt8]) -> HeaderStep {
        guard bytes[0] & 1 == 0, bytes[3...5].elementsEqual([0x9D, 0x01, 0x2A]) else { return .failed("not a whole frame of VP8") }
        // The two bits above are about scaling, which nobody does.
        width = bytes.little(6, 2) & 0x3FFF
        height = bytes.little(8, 2) & 0x3FFF
        guard width > 0, height > 0 else { return .failed("no width or no height") }
        return done(nil)
    }

    private mutating func lossless(_ bytes: [UInt8]) -> HeaderStep {
        let bits = bytes.little(1, 4)
        guard bytes[0] == 0x2F, bits >> 29 == 0 else { return .failed("not of the known version of VP8L") }
        width = 1 + bits & 0x3FFF
        height = 1 + bits >> 14 & 0x3FFF
        traits.insert(.lossless)
        if bits >> 28 & 1 == 1 { traits.insert(.alpha) }
        return done(nil)
    }

    private mutating func extended(_ bytes: [UInt8]) -> HeaderStep {
        if bytes[0] & 0x10 != 0 { traits.insert(.alpha) }
        if bytes[0] & 0x02 != 0 { traits.insert(.animated) }
        hasOrientation = bytes[0] & 0x08 != 0
        width = 1 + bytes.little(4, 3)
        height = 1 + bytes.little(7, 3)
        guard width * height < 1 << 32 else { return .failed("more pixels than a WebP has") }
        place = .chunk
        return .take(8)
    }

    private mutating func chunk(_ bytes: [UInt8]) -> HeaderStep {
        let length = bytes.little(4, 4)
        switch String(decoding: bytes[..<4], as: UTF8.self) {
        case "VP8 ": hasPixels = true
        case "VP8L":
            if !hasPixels { traits.insert(.lossless) }
            hasPixels = true
        case "ALPH": traits.formUnion([.alpha, .alphaPlane])
        case "ANMF" where !hasPixels:
            // The frame's place, and its first chunk's name.
            guard traits.contains(.animated), length >= 24 else { return .failed("a frame that has no place") }
            place = .frame(length: length)
            return .take(24)
        case "EXIF" where (1...Self.chunkLimit).contains(length):
            guard hasPixels else { return .failed("EXIF before the image") }
            place = .orientation
            return .take(length)
        case "VP8X": return .failed("two VP8X")
        default: break
        }
        if hasPixels, !hasOrientation { return done(nil) }
        return .take(8, after: length + length & 1)
    }

    private mutating func frame(_ bytes: [UInt8], _ length: Int) -> HeaderStep {
        if bytes.has("VP8L", at: 16) { traits.insert(.lossless) }
        if bytes.has("ALPH", at: 16) { traits.formUnion([.alpha, .alphaPlane]) }
        framePixelCount = (1 + bytes.little(6, 3)) * (1 + bytes.little(9, 3))
        hasPixels = true
        guard hasOrientation else { return done(nil) }
        place = .chunk
        return .take(8, after: length + length & 1 - 24)
    }

    private func done(_ orientation: Int?) -> HeaderStep {
        .done(
            ImageHeader(
                type: .webp, width: width, height: height, traits: traits, orientation: orientation ?? 1,
                framePixelCount: framePixelCount))
    }
}
