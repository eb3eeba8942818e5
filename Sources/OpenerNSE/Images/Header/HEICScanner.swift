/// The brands of a HEIC and the sizes that its `meta` box names.
struct HEICScanner: HeaderScanner {
    /// More than any camera writes: `meta` names items and properties only.
    private static let metaLimit = 256 << 10
    private static let brandLimit = 1 << 10
    private static let own = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
    private enum Place {
        case start, box, length, meta
        case brands
    }

    private var place = Place.start

    var first: HeaderStep { .take(8) }

    /// Whether a file of that main brand may be one.
    static func isBrand(_ bytes: [UInt8], at: Int) -> Bool {
        let brand = String(decoding: bytes[at..<at + 4], as: UTF8.self)
        return own.contains(brand) || brand == "mif1" || brand == "msf1"
    }

    mutating func next(_ bytes: [UInt8]) -> HeaderStep {
        switch place {
        case .start:
            let length = bytes.big(0, 4) - 8
            guard (8...Self.brandLimit).contains(length), length % 4 == 0 else { return .failed("ftyp of no sensible length") }
            place = .brands
            return .take(length)
        case .brands:
            let brands = stride(from: 0, to: bytes.count, by: 4).map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
            // An AVIF has the general brands, too.
            guard brands.contains(where: Self.own.contains) || !brands.contains(where: { $0 == "avif" || $0 == "avis" }) else {
                return .failed("an AVIF")
            }
            place = .box
            return .take(8)
        case .box: return box(bytes)
        case .length:
            let length = bytes.big(1, 7) - 16
            guard bytes[0] == 0, length >= 0 else { return .failed("a box of no sensible length") }
            place = .box
            return .take(8, after: length)
        case .meta: return meta(bytes)
        }
    }

    private mutating func box(_ bytes: [UInt8]) -> HeaderStep {
        let length = bytes.big(0, 4)
        if bytes.has("meta", at: 4) {
            guard (12...Self.metaLimit).contains(length) else { return .failed("meta of no sensible length") }
            place = .meta
            return .take(length - 8)
        }
        if length == 1 {
            place = .length
            return .take(8)
        }
        guard length >= 8 else { return .failed("a box of no sensible length, or no meta") }
        return .take(8, after: length - 8)
    }

    /// The largest size named is that of the image: others are of its tiles and thumbnails.
    private func meta(_ bytes: [UInt8]) -> HeaderStep {
        var best = (width: 0, height: 0)
        for properties in Self.boxes("iprp", in: bytes[4...]) {
            for container in Self.boxes("ipco", in: properties) {
                for size in Self.boxes("ispe", in: container) where size.count == 12 {
                    let numbers = Array(size)
                    let found = (width: numbers.big(4, 4), height: numbers.big(8, 4))
                    guard found.width < 1 << 31, found.height < 1 << 31 else { return .failed("a width or height of no size") }
                    if found.width * found.height > best.width * best.height { best = found }
                }
            }
        }
        guard best.width > 0, best.height > 0 else { return .failed("no size is named") }
        return .done(ImageHeader(type: .heic, width: best.width, height: best.height))
    }

    /// The contents of the boxes of that name that follow one another; what does not fit ends them.
    private static func boxes(_ name: String, in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var rest = bytes
        while rest.count >= 8 {
            let head = Array(rest.prefix(8))
            let length = head.big(0, 4)
            guard length >= 8, length <= rest.count else { break }
            if head[4...].elementsEqual(name.utf8) { found.append(rest.dropFirst(8).prefix(length - 8)) }
            rest = rest.dropFirst(length)
        }
        return found
    }
}
