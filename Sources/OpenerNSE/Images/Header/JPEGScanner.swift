/// From the start of a JPEG to its first scan, which tells whether there are others.
struct JPEGScanner: HeaderScanner {
    private enum Place {
        case start, marker, filled, exif, frame, scan
        case length(UInt8)
    }

    private struct Frame {
        var width: Int
        var height: Int
        var componentCount: Int
        var coefficientByteCount: Int
    }

    private var place = Place.start
    private var frame: Frame?
    private var traits: ImageTraits = []
    private var orientation: Int?

    var first: HeaderStep { .take(2) }

    mutating func next(_ bytes: [UInt8]) -> HeaderStep {
        switch place {
        case .start:
            place = .marker
            return .take(2)
        case .marker:
            guard bytes[0] == 0xFF else { return .failed("no marker where one has to be") }
            return marker(bytes[1])
        case .filled: return marker(bytes[0])
        case .length(let marker): return segment(marker, bytes.big(0, 2) - 2)
        case .exif:
            if bytes.has("Exif\0\0", at: 0) { orientation = EXIFOrientation.find(in: Array(bytes.dropFirst(6))) }
            place = .marker
            return .take(2)
        case .frame: return read(frame: bytes)
        case .scan: return read(scan: bytes)
        }
    }

    private mutating func marker(_ marker: UInt8) -> HeaderStep {
        switch marker {
        case 0xFF:
            // Any number of these may stand before a marker.
            place = .filled
            return .take(1)
        case 0x00...0xBF, 0xD0...0xD9, 0xF0...0xFD: return .failed("a marker that has no place before the first scan")
        default:
            place = .length(marker)
            return .take(2)
        }
    }

    private mutating func segment(_ marker: UInt8, _ length: Int) -> HeaderStep {
        guard length >= 0 else { return .failed("a segment shorter than its own length") }
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard frame == nil else { return .failed("two frames") }
            guard length >= 9 else { return .failed("a frame that is too short") }
            if marker == 0xC2 { traits.insert(.severalScans) }
            if marker > 0xC2 { traits.insert(.uncommon) }
            place = .frame
            return .take(length)
        case 0xDA:
            guard length >= 6 else { return .failed("a scan that is too short") }
            place = .scan
            return .take(length)
        case 0xE1 where orientation == nil && length >= 14:
            place = .exif
            return .take(length)
        default:
            place = .marker
            return .take(2, after: length)
        }
    }

    private mutating func read(frame bytes: [UInt8]) -> HeaderStep {
        let height = bytes.big(1, 2)
        let width = bytes.big(3, 2)
        let count = Int(bytes[5])
        guard width > 0, height > 0 else { return .failed("no width or no height") }
        guard [1, 3, 4].contains(count), bytes.count == 6 + 3 * count else { return .failed("components that do not fit the frame") }
        let factors = (0..<count).map { (across: Int(bytes[7 + 3 * $0] >> 4), down: Int(bytes[7 + 3 * $0] & 15)) }
        guard factors.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }) else {
            return .failed("a sampling factor that is not 1 to 4")
        }
        if bytes[0] != 8 { traits.insert(.uncommon) }
        if count == 4 { traits.insert(.inks) }
        let across = factors.map(\.across).max() ?? 1
        let down = factors.map(\.down).max() ?? 1
        // Whole groups of blocks, each of 64 coefficients of two bytes.
        let groups = (width + 8 * across - 1) / (8 * across) * ((height + 8 * down - 1) / (8 * down))
        let coefficients = factors.reduce(0) { $0 + groups * $1.across * $1.down * 128 }
        frame = Frame(width: width, height: height, componentCount: count, coefficientByteCount: coefficients)
        place = .marker
        return .take(2)
    }

    private mutating func read(scan bytes: [UInt8]) -> HeaderStep {
        guard let frame else { return .failed("a scan before the frame") }
        let count = Int(bytes[0])
        guard (1...frame.componentCount).contains(count), bytes.count == 4 + 2 * count else {
            return .failed("a scan of other components than the frame's")
        }
        if count < frame.componentCount { traits.insert(.severalScans) }
        return .done(
            ImageHeader(
                type: .jpeg, width: frame.width, height: frame.height, traits: traits, orientation: orientation ?? 1,
                coefficientByteCount: frame.coefficientByteCount))
    }
}
