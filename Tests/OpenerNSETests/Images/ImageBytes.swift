import OpenerNSE

/// The beginnings of image files, and whole ones, put together by hand.
enum ImageBytes {
    static func big(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    static func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    // JPEG

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] { [0xFF, marker] + big(content.count + 2, 2) + content }

    static func exif(_ orientation: Int, isLittle: Bool = false) -> [UInt8] {
        let entry =
            isLittle
            ? little(0x0112, 2) + little(3, 2) + little(1, 4) + little(orientation, 2) + [0, 0]
            : big(0x0112, 2) + big(3, 2) + big(1, 4) + big(orientation, 2) + [0, 0]
        let other = isLittle ? little(0x010F, 2) + little(2, 2) + little(4, 4) + [65, 66, 67, 0] : []
        let head: [UInt8] = isLittle ? Array("II*\0".utf8) + little(8, 4) + little(2, 2) : Array("MM\0*".utf8) + big(8, 4) + big(1, 2)
        return head + other + entry + [0, 0, 0, 0]
    }

    static func frame(_ width: Int, _ height: Int, depth: UInt8 = 8, factors: [UInt8] = [0x22, 0x11, 0x11]) -> [UInt8] {
        [depth] + big(height, 2) + big(width, 2) + [UInt8(factors.count)]
            + factors.enumerated().flatMap { [UInt8($0.offset + 1), $0.element, 0] }
    }

    static func scan(_ count: Int) -> [UInt8] {
        segment(0xDA, [UInt8(count)] + (0..<count).flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
    }

    static func jpeg(
        _ width: Int = 4000, _ height: Int = 3000, marker: UInt8 = 0xC0, depth: UInt8 = 8, factors: [UInt8] = [0x22, 0x11, 0x11],
        scanned: Int? = nil, before: [UInt8] = []
    ) -> [UInt8] {
        [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]) + before
            + segment(0xDB, [UInt8](repeating: 1, count: 65))
            + segment(marker, frame(width, height, depth: depth, factors: factors)) + scan(scanned ?? factors.count)
    }

    /// In two scans, the first with an FF that stands for itself and a restart.
    static func wholeJPEG(coded: [UInt8] = [1, 0xFF, 0, 0xFF, 0xD0, 2]) -> [UInt8] {
        jpeg(40, 30, marker: 0xC2) + coded + segment(0xC4, [0, 1]) + [0xFF] + scan(1) + [3, 4, 0xFF, 0xD9]
    }

    // PNG

    /// By the book, a bit at a time.
    static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            for bit in 0..<8 {
                let isOdd = (sum ^ UInt32(byte >> UInt8(bit))) & 1 == 1
                sum = sum >> 1 ^ (isOdd ? 0xEDB8_8320 : 0)
            }
        }
        return Int(sum ^ 0xFFFF_FFFF)
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count, 4) + Array(name.utf8) + content + big(checksum(Array(name.utf8) + content), 4)
    }

    static func wholePNG() -> [UInt8] { png(40, 30, interlacing: 1, before: chunk("tEXt", Array("a\0b".utf8))) + chunk("IEND", []) }

    static func png(
        _ width: Int = 4000, _ height: Int = 3000, depth: UInt8 = 8, kind: UInt8 = 2, interlacing: UInt8 = 0, before: [UInt8] = []
    ) -> [UInt8] {
        [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [depth, kind, 0, 0, interlacing]) + before + chunk("IDAT", [1, 2, 3])
    }

    // GIF

    static func gif(
        _ width: Int = 4000, _ height: Int = 3000, frame: (x: Int, y: Int, width: Int, height: Int)? = nil, interlaced: Bool = false,
        before: [UInt8] = []
    ) -> [UInt8] {
        let place = frame ?? (0, 0, width, height)
        return Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x81, 0, 0] + [UInt8](repeating: 7, count: 12) + before
            + [0x2C] + little(place.x, 2) + little(place.y, 2) + little(place.width, 2) + little(place.height, 2)
            + [interlaced ? 0x40 : 0]
    }

    static func wholeGIF() -> [UInt8] { gif(40, 30, before: loop) + [2, 3, 1, 2, 3, 1, 9, 0, 0x3B] }

    static let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]

    // WebP

    static func riff(_ chunks: [UInt8]) -> [UInt8] { Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks }

    static func piece(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        piece("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [0, 0])
    }

    static func lossless(_ width: Int, _ height: Int, alpha: Bool = false) -> [UInt8] {
        piece("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14 | (alpha ? 1 << 28 : 0), 4) + [0, 0])
    }

    static func extended(_ width: Int, _ height: Int, flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
        riff(piece("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)) + chunks)
    }

    /// The first of an animation, at the upper left.
    static func frame(_ width: Int, _ height: Int, _ chunks: [UInt8]) -> [UInt8] {
        piece("ANMF", [UInt8](repeating: 0, count: 6) + little(width - 1, 3) + little(height - 1, 3) + [0, 0, 0, 0] + chunks)
    }

    static func wholeWebP() -> [UInt8] {
        let frame = piece("ANMF", [0, 0, 0, 0, 0, 0] + little(39, 3) + little(29, 3) + [0, 0, 0, 0] + lossless(40, 30))
        return extended(40, 30, flags: 0x12, piece("ANIM", [0, 0, 0, 0, 0, 0]) + frame)
    }

    // HEIC

    static func wholeHEIC() -> [UInt8] { heic([(40, 30)]) + box("free", []) + box("mdat", [1, 2, 3]) }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8, 4) + Array(name.utf8) + content }

    static func heic(_ sizes: [(Int, Int)] = [(512, 512), (4032, 3024)], brands: String = "heic\0\0\0\0mif1heic", before: [UInt8] = [])
        -> [UInt8]
    {
        let properties = sizes.flatMap { box("ispe", [0, 0, 0, 0] + big($0.0, 4) + big($0.1, 4)) }
        let meta = [0, 0, 0, 0] + box("hdlr", [0]) + box("iprp", box("ipco", box("hvcC", [1, 2]) + properties))
        return box("ftyp", Array(brands.utf8)) + before + box("meta", meta)
    }
}
