import Foundation
import OpenerNSE
import Testing

/// What is attached as it was fetched is whole, or left out.
struct WholeImageTests {
    private let path = NSTemporaryDirectory() + "waxwing-whole-\(UUID().uuidString)"
    private static let all: [(ImageType, [UInt8])] = [
        (.jpeg, ImageBytes.wholeJPEG()), (.png, ImageBytes.wholePNG()), (.gif, ImageBytes.wholeGIF()), (.webp, ImageBytes.wholeWebP()),
        (.heic, ImageBytes.wholeHEIC()),
    ]

    /// The place of one in a WebP that moves.
    private static let frame: [UInt8] = [0, 0, 0, 0, 0, 0, 39, 0, 0, 29, 0, 0, 0, 0, 0, 0]

    /// What becomes of it where nothing scales.
    private func failure(_ bytes: [UInt8]) throws -> ImageFailure? {
        let stage = try ImageStage(directory: path, fetcher: ScriptedFetcher(bytes, by: 1 << 20), scaler: nil)
        let image: AttachedImage
        do throws(ImageFailure) {
            image = try stage.attach(.clear(url: "https://example.com/a"), within: .seconds(20), isWanted: { true })
        } catch { return error }
        #expect(image.unscaled != nil)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: image.path))) == bytes)
        try FileManager.default.removeItem(atPath: image.path)
        return nil
    }

    @Test(arguments: all) func whole(_ type: ImageType, _ bytes: [UInt8]) throws {
        #expect(try failure(bytes) == nil)
        #expect(try ImageHeaderReader.header(of: bytes).type == type)
    }

    /// Cut short anywhere; and with something behind its end, as cameras and editors leave it, of which nobody takes note.
    @Test(arguments: all) func cutOrContinued(_ type: ImageType, _ bytes: [UInt8]) throws {
        for count in 12..<bytes.count {
            #expect(try failure(Array(bytes.prefix(count))) == .decoding, "\(count) of \(bytes.count) bytes")
        }
        for more in [[0], [0x3B], [0xFF, 0xD9], Array("\r\n".utf8), ImageBytes.wholeJPEG(), ImageBytes.box("free", [1])] as [[UInt8]] {
            #expect(try failure(bytes + more) == nil, "\(more)")
        }
    }

    @Test func aBitOfAChunkOfAPNGIsAnother() throws {
        let bytes = ImageBytes.wholePNG()
        for bit in stride(from: 8 * 8, to: 8 * bytes.count, by: 3) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try failure(changed) != nil, "bit \(bit)")
        }
    }

    @Test(arguments: [
        // Nothing between the scan and its end; a scan that does not end; a length that is none; a thumbnail that was cut.
        ImageBytes.jpeg(40, 30) + [0xFF, 0xD9], ImageBytes.jpeg(40, 30) + [1, 2, 0xFF, 0xD8, 0xFF, 0xD9],
        ImageBytes.jpeg(40, 30) + [1, 2, 0xFF, 0xC4, 0, 1, 0xFF, 0xD9], ImageBytes.jpeg(40, 30) + [1, 2] + ImageBytes.segment(0xE1, [1]),
        // Chunks that go on behind IEND's place, and one without pixels.
        ImageBytes.png(40, 30) + ImageBytes.chunk("IEND", [1]), ImageBytes.png(40, 30) + ImageBytes.chunk("tEXt", [1]),
        // A frame without pixels, and a block of no kind.
        ImageBytes.gif(40, 30) + [2, 0, 0x3B], ImageBytes.gif(40, 30) + [2, 1, 1, 0, 0x2B, 0x3B],
        ImageBytes.gif(40, 30) + [0, 1, 1, 0, 0x3B],
        // Chunks that are longer than what they are in, and a container that is longer than the file.
        ImageBytes.extended(40, 30, flags: 2, ImageBytes.piece("ANMF", frame + Array("VP8L".utf8) + [9, 0, 0, 0])),
        Array("RIFF".utf8) + ImageBytes.little(200, 4) + Array("WEBP".utf8) + ImageBytes.lossy(40, 30),
        // Boxes of an impossible length, and none with the pixels.
        ImageBytes.heic([(40, 30)]) + [0, 0, 0, 7] + Array("mdat".utf8), ImageBytes.heic([(40, 30)]) + ImageBytes.box("mdat", []),
        ImageBytes.heic([(40, 30)]) + [0, 0, 0, 1] + Array("mdat".utf8) + [0x80, 0, 0, 0, 0, 0, 0, 17, 1], ImageBytes.heic([(40, 30)]),
    ]) func damaged(_ bytes: [UInt8]) throws {
        #expect(try failure(bytes) == .decoding)
    }

    @Test func lengthsOfOtherForms() throws {
        let head = ImageBytes.heic([(40, 30)])
        #expect(try failure(head + [0, 0, 0, 0] + Array("mdat".utf8) + [1, 2]) == nil)
        #expect(try failure(head + [0, 0, 0, 1] + Array("mdat".utf8) + ImageBytes.big(18, 8) + [1, 2]) == nil)
    }

    /// Pairs of FF and 00 on both sides of where a piece that is read ends.
    @Test(arguments: [0, 1]) func longerThanAPiece(shift: Int) throws {
        let coded = [UInt8](repeating: 1, count: shift) + (0..<50_000).flatMap { _ in [0xFF, 0] as [UInt8] }
        let bytes = ImageBytes.wholeJPEG(coded: coded + [1])
        #expect(try failure(bytes) == nil)
        #expect(try failure(Array(bytes.dropLast())) == .decoding)
    }
}
