public import AppleTypes

/// Where an image is written.
public final class CGImageDestination {
    let url: URL
    let type: String
    var images: [(image: CGImage, properties: [String: Any])] = []

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
    idst.images.append((image, properties as? [String: Any] ?? [:]))
}

/// Writes, instead of an image, the type and what was asked of it, one line each, sorted.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
    let lines = idst.images.flatMap { $0.image.options.merging($0.properties) { first, _ in first } }.map { "\($0.key)=\($0.value)" }
    return (try? ([idst.type] + lines.sorted()).joined(separator: "\n").write(to: idst.url, atomically: true, encoding: .utf8)) != nil
}
