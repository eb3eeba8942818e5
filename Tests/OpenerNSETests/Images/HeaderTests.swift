import OpenerNSE
import TestSupport
import Testing

/// What headers say, in whatever pieces they come.
struct HeaderTests {
    typealias Bytes = ImageBytes

    private static func jpeg(
        _ traits: ImageTraits, _ coefficients: Int = 36_096_000, orientation: Int = 1, _ width: Int = 4000, _ height: Int = 3000
    ) -> ImageHeader {
        ImageHeader(
            type: .jpeg, width: width, height: height, traits: traits, orientation: orientation, coefficientByteCount: coefficients)
    }

    private static func png(_ traits: ImageTraits, orientation: Int = 1) -> ImageHeader {
        ImageHeader(type: .png, width: 4000, height: 3000, traits: traits, orientation: orientation)
    }

    private static func gif(_ traits: ImageTraits, _ width: Int = 4000, _ height: Int = 3000) -> ImageHeader {
        ImageHeader(type: .gif, width: width, height: height, traits: traits.union(.alpha))
    }

    private static func webp(
        _ width: Int, _ height: Int, _ traits: ImageTraits = [], orientation: Int = 1, frame: Int? = nil
    ) -> ImageHeader {
        ImageHeader(type: .webp, width: width, height: height, traits: traits, orientation: orientation, framePixelCount: frame)
    }

    private static let heic = ImageHeader(type: .heic, width: 4032, height: 3024)

    static let good: [(bytes: [UInt8], header: ImageHeader)] = [
        // 250 by 188 groups of six blocks.
        (Bytes.jpeg(), jpeg([])),
        (Bytes.jpeg(marker: 0xC1), jpeg([])),
        (Bytes.jpeg(marker: 0xC2), jpeg(.severalScans)),
        (Bytes.jpeg(scanned: 1), jpeg(.severalScans)),
        (Bytes.jpeg(marker: 0xC3), jpeg(.uncommon)),
        (Bytes.jpeg(marker: 0xC9), jpeg(.uncommon)),
        (Bytes.jpeg(depth: 12), jpeg(.uncommon)),
        (Bytes.jpeg(factors: [0x11, 0x11, 0x11, 0x11]), jpeg(.inks, 500 * 375 * 4 * 128)),
        (Bytes.jpeg(1, 1, factors: [0x11]), jpeg([], 128, 1, 1)),
        (Bytes.jpeg(before: Bytes.segment(0xE1, Array("Exif\0\0".utf8) + Bytes.exif(6))), jpeg([], orientation: 6)),
        (Bytes.jpeg(before: Bytes.segment(0xE1, Array("Exif\0\0".utf8) + Bytes.exif(8, isLittle: true))), jpeg([], orientation: 8)),
        (Bytes.jpeg(before: Bytes.segment(0xE1, Array("Exif\0\0".utf8) + Bytes.exif(9))), jpeg([])),
        (Bytes.jpeg(before: Bytes.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))), jpeg([])),
        (Bytes.jpeg(before: [0xFF, 0xFF] + Bytes.segment(0xFE, [1])), jpeg([])),
        (Bytes.jpeg(65_535, 65_535, factors: [0x11]), jpeg([], 8192 * 8192 * 128, 65_535, 65_535)),
        (Bytes.png(), png([])),
        (Bytes.png(kind: 6, interlacing: 1), png([.alpha, .interlaced])),
        (Bytes.png(before: Bytes.chunk("tRNS", [0, 0, 0, 0, 0, 0])), png(.alpha)),
        (Bytes.png(kind: 3, before: Bytes.chunk("PLTE", [1, 2, 3])), png([])),
        (Bytes.png(before: Bytes.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])), png(.animated)),
        (Bytes.png(before: Bytes.chunk("eXIf", Bytes.exif(3))), png([], orientation: 3)),
        (Bytes.png((1 << 31) - 1, (1 << 31) - 1), ImageHeader(type: .png, width: (1 << 31) - 1, height: (1 << 31) - 1)),
        (Bytes.gif(), gif([])),
        (Bytes.gif(10, 10, frame: (5, 6, 20, 30), interlaced: true), gif(.interlaced, 25, 36)),
        (Bytes.gif(before: Bytes.loop), gif(.animated)),
        (Bytes.gif(before: [0x21, 0xF9, 4, 0, 10, 0, 0, 0]), gif(.animated)),
        (Bytes.gif(before: [0x21, 0xF9, 4, 1, 0, 0, 0, 0, 0x21, 0xFE, 2, 65, 66, 0]), gif([])),
        (Bytes.riff(Bytes.lossy(4000, 3000)), webp(4000, 3000)),
        (Bytes.riff(Bytes.lossless(16_384, 1, alpha: true)), webp(16_384, 1, [.lossless, .alpha])),
        (
            Bytes.extended(
                400, 300, flags: 0x18, Bytes.piece("ALPH", [1, 2, 3]) + Bytes.lossy(400, 300) + Bytes.piece("EXIF", Bytes.exif(5))),
            webp(400, 300, [.alpha, .alphaPlane], orientation: 5)
        ),
        // It says that there may be transparency, and has none.
        (Bytes.extended(400, 300, flags: 0x10, Bytes.lossy(400, 300)), webp(400, 300, .alpha)),
        (
            Bytes.extended(400, 300, flags: 2, Bytes.frame(400, 300, Bytes.lossless(400, 300))),
            webp(400, 300, [.animated, .lossless])
        ),
        (
            Bytes.extended(4000, 3000, flags: 0x12, Bytes.frame(20, 30, Bytes.piece("ALPH", [0]) + Bytes.lossy(20, 30))),
            webp(4000, 3000, [.animated, .alpha, .alphaPlane], frame: 600)
        ),
        (
            Bytes.extended(4000, 3000, flags: 0x12, Bytes.frame(4000, 3000, Bytes.lossy(4000, 3000))),
            webp(4000, 3000, [.animated, .alpha])
        ),
        (Bytes.heic(), heic),
        (Bytes.heic(brands: "mif1\0\0\0\0mif1heic", before: Bytes.box("free", [UInt8](repeating: 0, count: 999))), heic),
        (Bytes.heic(before: [0, 0, 0, 1] + Array("mdat".utf8) + Bytes.big(21, 8) + [1, 2, 3, 4, 5]), heic),
    ]

    @Test(arguments: good.indices)
    func isRead(index: Int) throws {
        let (bytes, header) = Self.good[index]
        #expect(try ImageHeaderReader.header(of: bytes) == header)
        for size in [1, 2, 3, 7, 64] {
            var reader = ImageHeaderReader()
            for start in stride(from: 0, to: bytes.count, by: size) { reader.read(Array(bytes[start..<min(start + size, bytes.count)])) }
            #expect(try reader.finish() == header)
        }
        // What comes behind it changes nothing.
        #expect(try ImageHeaderReader.header(of: bytes + [0xFF, 0, 1]) == header)
    }

    /// Cut anywhere it is an error, until all that is needed is there.
    @Test(arguments: good.indices)
    func cut(index: Int) throws {
        let (bytes, header) = Self.good[index]
        var isComplete = false
        for count in 0...bytes.count {
            do throws(ImageHeaderError) {
                #expect(try ImageHeaderReader.header(of: Array(bytes.prefix(count))) == header)
                isComplete = true
            } catch {
                #expect(!isComplete)
                #expect(error.type == (count < 12 ? nil : header.type))
                #expect(error.reason == (count < 12 ? "too short for any" : "cut short before its size"))
            }
        }
        #expect(isComplete)
    }

    /// Changed files get some answer, and the same one in whatever pieces they come.
    @Test func changed() {
        var random = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(4000, slow: 400_000) {
            var bytes = Self.good[Int.random(in: 0..<Self.good.count, using: &random)].bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var whole = ImageHeaderReader()
            whole.read(bytes)
            var reader = ImageHeaderReader()
            for byte in bytes { reader.read([byte]) }
            #expect(reader.progress == whole.progress)
        }
    }

    /// Many of the smallest steps there are take no longer than reading them.
    @Test(arguments: [
        Bytes.gif(before: [0x21, 0xFE] + [UInt8](repeating: 1, count: 500_000) + [0]),
        Bytes.jpeg(before: (0..<60_000).flatMap { _ in Bytes.segment(0xE2, []) }),
        Bytes.png(before: (0..<20_000).flatMap { _ in Bytes.chunk("teXt", []) }),
    ])
    func manySteps(bytes: [UInt8]) throws {
        let began = ContinuousClock.now
        _ = try ImageHeaderReader.header(of: bytes)
        #expect(ContinuousClock.now - began < .seconds(20))
    }
}
