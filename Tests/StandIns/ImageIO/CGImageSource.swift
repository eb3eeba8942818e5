public import AppleTypes

/// An image's file.
public final class CGImageSource {
    let url: URL

    init(_ url: URL) { self.url = url }
}

nonisolated(unsafe) public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
nonisolated(unsafe) public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"

/// nil for a file that is not there.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    let url = url as URL
    return FileManager.default.fileExists(atPath: url.path) ? CGImageSource(url) : nil
}

/// nil for what cannot be decoded, and for options that could give a thumbnail of another size, or that a file brought along.
public func CGImageSourceCreateThumbnailAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
    let options = options as? [String: Any] ?? [:]
    let size = options[kCGImageSourceThumbnailMaxPixelSize as String]
    guard index == 0, options[kCGImageSourceCreateThumbnailFromImageAlways as String] as? Bool == true,
        let longest = size as? Int ?? (size as? CGFloat).map({ Int($0) })
    else { return nil }
    let isUpright = options[kCGImageSourceCreateThumbnailWithTransform as String] as? Bool ?? false
    return CGImage(of: isrc.url, longestSide: longest, isUpright: isUpright)
}
