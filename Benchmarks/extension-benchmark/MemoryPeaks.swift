import BenchmarkSupport
import CImageFixtures
import FoundationEssentials

/// The most that an extension's process has resident, for a message without an image and with many kinds.
enum MemoryPeaks {
    private static let pictures: [(name: String, fixture)] = [
        ("JPEG", picture(fixture_jpeg, noise: 20)), ("PNG", picture(fixture_png, noise: 3)),
        ("WebP", picture(fixture_webp, noise: 10)), ("GIF", picture(fixture_gif, noise: 10)),
        ("progressive JPEG", picture(fixture_jpeg_progressive, noise: 20)), ("interlaced PNG", picture(fixture_png_interlaced, noise: 0)),
        ("interlaced GIF", picture(fixture_gif_interlaced, noise: 5)), ("lossless WebP", picture(fixture_webp_lossless, noise: 0)),
        ("HEIC", picture(fixture_heic, noise: 0)),
        ("progressive JPEG, 30 megapixels", picture(fixture_jpeg_progressive, 6_000, 5_000, noise: 0)),
        ("PNG, more than 10 MB", picture(fixture_png, noise: 12)),
    ]

    static func print(program: String) throws {
        let phone = try BarePhone()
        say("no image", 0, try phone.receive(program: program))
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (index, (name, picture)) in pictures.enumerated() {
            let path = "\(folder.path)/\(index)"
            guard withUnsafePointer(to: picture, { fixture_write(path, $0) }) == 1 else { fatal("\(name) is not written") }
            let bytes = try Array(Data(contentsOf: URL(filePath: path)))
            say(name, bytes.count, try phone.receive(program: program, image: bytes))
        }
    }

    private static func say(_ name: String, _ byteCount: Int, _ reception: Reception) {
        Swift.print(
            "\(name)\(byteCount > 0 ? ", \(text(Double(byteCount) / 1e6, 1)) MB" : ""): at most "
                + "\(text(Double(reception.peakByteCount) / 1e6)) MB, image: \(reception.imageText)")
    }

    private static func picture(_ kind: fixture_kind, _ width: UInt32 = 4_000, _ height: UInt32 = 3_000, noise: Int32) -> fixture {
        fixture(kind: kind, width: width, height: height, has_alpha: 0, noise: noise, orientation: 0, profile_length: 0)
    }
}
