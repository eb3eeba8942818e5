internal import Foundation
internal import ImageIO
internal import OpenerNSE

/// Makes an image small by ImageIO, which decodes no more than the small one needs: of a large JPEG never all pixels at once.
///
/// The orientation is applied, nothing but pixels is written, and of several frames the first is taken.
struct ImageIOScaler: ImageScaling {
    /// What decoder and encoder have beside pixels: a guess, near what those on Linux have.
    private static let fixed = 3_000_000

    /// Apple says of ImageIO that it streams, and promises it for no type. So it is believed of a JPEG in one scan alone, which costs
    /// the small image's pixels. Of all else the whole is counted besides, and what is too large then goes unscaled, for the system
    /// to make smaller in a process that has the room.
    func memory(for header: ImageHeader, longestSide: Int) -> Int? {
        let longer = max(header.longerSide, longestSide)
        let small = (header.width * longestSide / longer + 1) * (header.height * longestSide / longer + 1)
        let isStreamed = header.type == .jpeg && !header.traits.contains(.severalScans)
        return Self.fixed + 4 * small + (isStreamed ? 0 : max(4 * header.pixelCount, header.coefficientByteCount))
    }

    func scale(_ order: ScalingOrder) throws(ImageFailure) -> AttachedImage {
        guard order.budget > .zero else { throw .timeout }
        let source = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithURL(URL(fileURLWithPath: order.path) as CFURL, source) else { throw .decoding }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceThumbnailMaxPixelSize: order.longestSide,
        ]
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else { throw .decoding }
        // Every iOS can write these two.
        let type = order.header.traits.contains(.alpha) ? ImageType.png : .jpeg
        let output = URL(fileURLWithPath: "\(order.outputStem).\(type.fileExtension)")
        guard let destination = CGImageDestinationCreateWithURL(output as CFURL, type.uniformType as CFString, 1, nil) else {
            throw .storage
        }
        let quality: [CFString: Any] = [kCGImageDestinationLossyCompressionQuality: 0.8]
        CGImageDestinationAddImage(destination, image, quality as CFDictionary)
        guard CGImageDestinationFinalize(destination) else {
            try? FileManager.default.removeItem(at: output)
            throw .storage
        }
        return AttachedImage(path: output.path, type: type)
    }
}
