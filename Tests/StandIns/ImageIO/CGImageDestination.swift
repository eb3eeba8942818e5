public import AppleTypes

/// Where an image is written.
public final class CGImageDestination {
    let url: URL
    let type: String
    var images: [CGImage] = []

    init(_ url: URL, _ type: String) {
        self.url = url
        self.type = type
    }
}

nonisolated(unsafe) public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"

public func CGImageDestinationCreateWithURL(
    _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(url as URL, type as String) }

public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {
    idst.images.append(image)
}

/// Whether it was written. Here an image is written as the type that keeps all of it and as no other.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
    guard let image = idst.images.first, image.type == idst.type else { return false }
    return (try? image.file.write(to: idst.url)) != nil
}
