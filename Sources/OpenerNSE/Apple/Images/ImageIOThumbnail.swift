internal import Foundation
internal import ImageIO
internal import OpenerNSE

/// Makes an image small by ImageIO, which decodes no more than the small one needs: of a large JPEG never all pixels at once.
///
/// The orientation is applied, nothing but pixels is written, and of several frames the first is taken.
struct ImageIOThumbnail: Sendable {
    /// The most pixels on a side; what is smaller is not made larger.
    static let pixelLimit = 1_024

    /// - Parameters:
    ///   - path: of the image as it was fetched, which stays.
    ///   - type: by its content.
    ///   - folder: where the small one is written, under a random name with the ending of its type.
    /// - Throws: `decoding` for what is no image, `storage` where it cannot be written.
    func make(of path: String, type: ImageType, in folder: String) throws(ImageFailure) -> AttachedImage {
        let url = URL(fileURLWithPath: path)
        guard let source = CGImageSourceCreateWithURL(url as CFURL, [kCGImageSourceShouldCache: false] as CFDictionary) else {
            throw .decoding
        }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceThumbnailMaxPixelSize: Self.pixelLimit,
        ]
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else { throw .decoding }
        // What may be transparent stays so; every iOS can write these two.
        let written = type == .png || type == .gif ? ImageType.png : .jpeg
        let output = URL(fileURLWithPath: folder).appendingPathComponent("\(UUID().uuidString).\(written.fileExtension)")
        guard
            let destination = CGImageDestinationCreateWithURL(output as CFURL, written.uniformType as CFString, 1, nil)
        else { throw .storage }
        let quality: [CFString: Any] = [kCGImageDestinationLossyCompressionQuality: 0.8]
        CGImageDestinationAddImage(destination, image, quality as CFDictionary)
        guard CGImageDestinationFinalize(destination) else {
            try? FileManager.default.removeItem(at: output)
            throw .storage
        }
        return AttachedImage(path: output.path, type: written)
    }
}
