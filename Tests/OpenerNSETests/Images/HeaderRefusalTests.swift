import OpenerNSE
import Testing

/// What becomes of headers that say nothing sensible.
struct HeaderRefusalTests {
    typealias Bytes = ImageBytes

    static let bad: [(bytes: [UInt8], reason: String)] = [
        (Bytes.jpeg(0, 3000), "no width or no height"),
        (Bytes.jpeg(4000, 0), "no width or no height"),
        (Bytes.jpeg(factors: [0x22, 0x11]), "components that do not fit the frame"),
        (Bytes.jpeg(factors: [0x51, 0x11, 0x11]), "a sampling factor that is not 1 to 4"),
        (Bytes.jpeg(factors: [0x01, 0x11, 0x11]), "a sampling factor that is not 1 to 4"),
        (Bytes.jpeg(scanned: 4), "a scan of other components than the frame's"),
        (Bytes.jpeg(before: Bytes.scan(3)), "a scan before the frame"),
        (Bytes.jpeg(before: [0xFF, 0xD9]), "a marker that has no place before the first scan"),
        (Bytes.jpeg(before: [0xFF, 0xE2, 0, 1]), "a segment shorter than its own length"),
        (Bytes.jpeg(before: [7]), "no marker where one has to be"),
        (Bytes.jpeg(before: Bytes.segment(0xC0, Bytes.frame(9, 9))), "two frames"),
        (Bytes.png(0, 1), "a width or height of no size"),
        (Bytes.png(1 << 31, 1), "a width or height of no size"),
        (Bytes.png(depth: 4), "a colour type and depth that do not go together"),
        (Bytes.png(kind: 5), "a colour type and depth that do not go together"),
        (Bytes.png(interlacing: 2), "an unknown compression, filter or interlacing"),
        (Bytes.png(kind: 3), "IDAT before PLTE"),
        (Bytes.png(before: Bytes.chunk("IEND", [])), "no IDAT"),
        (Bytes.png(before: Bytes.chunk("IHDR", [])), "two IHDR"),
        (Bytes.png(before: Bytes.chunk("a b!", [])), "a chunk whose name is not four letters"),
        (Bytes.png(before: Bytes.big(1 << 31, 4) + Array("teXt".utf8)), "a chunk longer than chunks are"),
        (Bytes.gif(frame: (0, 0, 0, 9)), "no width or no height"),
        (Bytes.gif(before: [0x3B]), "no frame"),
        (Bytes.gif(before: [1]), "a block of no known kind"),
        (Bytes.gif(before: [0x21, 0xF9, 1, 0, 0, 0]), "an extension that is too short"),
        (Bytes.riff(Bytes.piece("JUNK", [UInt8](repeating: 0, count: 20))), "the first chunk is neither VP8, VP8L nor VP8X"),
        (Bytes.riff(Bytes.lossy(0, 9)), "no width or no height"),
        (Bytes.extended(1 << 24, 1 << 24, flags: 0, []), "more pixels than a WebP has"),
        (Bytes.heic([]), "no size is named"),
        (Bytes.heic([(0, 9)]), "no size is named"),
        (Bytes.heic(brands: "mif1\0\0\0\0mif1avif"), "an AVIF"),
        (Bytes.heic(before: [0, 0, 0, 7] + Array("free".utf8)), "a box of no sensible length, or no meta"),
        (Bytes.heic(before: Bytes.big(1 << 30, 4) + Array("meta".utf8)), "meta of no sensible length"),
        (Bytes.heic(before: Bytes.big(1, 4) + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8)), "a box of no sensible length"),
    ]

    @Test(arguments: bad.indices)
    func isRefused(index: Int) {
        let (bytes, reason) = Self.bad[index]
        do {
            let header = try ImageHeaderReader.header(of: bytes)
            Issue.record("\(header)")
        } catch {
            #expect(error.reason == reason)
            #expect(error.failure == .decoding)
        }
    }

    @Test(arguments: [
        Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), Array("BM6\0\0\0\0\0\0\0\0\0\0".utf8), [UInt8](repeating: 0, count: 40),
        Array("%PDF-1.7 image.jpg".utf8), [0, 0, 0, 24] + Array("ftypisommp42heic....".utf8), Array("RIFF....AVI LIST".utf8),
    ])
    func otherTypes(bytes: [UInt8]) {
        do {
            _ = try ImageHeaderReader.header(of: bytes)
            Issue.record("it is no image")
        } catch {
            #expect(error.type == nil)
            #expect(error.failure == .type)
        }
    }
}
