internal import AppleTypes
internal import ImageScaler
internal import OpenerNSE

/// A decoded image. Here it is kept as the file that it is written as.
public final class CGImage {
    let type: String
    let file: Data

    /// Scales as ImageIO is asked to, by this package's own decoders.
    /// - Parameter isUpright: whether the orientation is applied; without, it is lost.
    init?(of url: URL, longestSide: Int, isUpright: Bool) {
        guard let bytes = try? Data(contentsOf: url), let found = try? ImageHeaderReader.header(of: Array(bytes)) else { return nil }
        let header = ImageHeader(
            type: found.type, width: found.width, height: found.height, traits: found.traits,
            orientation: isUpright ? found.orientation : 1, coefficientByteCount: found.coefficientByteCount)
        let stem = FileManager.default.temporaryDirectory.appendingPathComponent("waxwing-\(UUID().uuidString)").path
        let order = ScalingOrder(
            path: url.path, header: header, outputStem: stem, longestSide: longestSide, budget: .seconds(30))
        guard let scaled = try? FileScaler().scale(order) else { return nil }
        defer { try? FileManager.default.removeItem(atPath: scaled.path) }
        guard let file = FileManager.default.contents(atPath: scaled.path) else { return nil }
        self.file = file
        type = scaled.type == .png ? "public.png" : "public.jpeg"
    }
}
