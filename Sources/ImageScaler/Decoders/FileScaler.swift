internal import CImages
internal import Glibc
public import OpenerNSE

/// Scales JPEG, PNG, GIF and WebP with libjpeg-turbo, libpng, giflib and libwebp, row by row, where this was built with them.
///
/// The smaller image is a JPEG, or a PNG where something can be seen through. It is upright and has no metadata but a colour
/// profile; of what moves it is the first frame.
public struct FileScaler: ImageScaling {
    public init() {}

    /// Whether this was built with the libraries. Without them nothing is scaled.
    public static var isAvailable: Bool { waxwing_image_is_available() == 1 }

    public func memory(for header: ImageHeader, longestSide: Int) -> Int? {
        guard Self.isAvailable, Self.code(of: header.type) != nil, !header.traits.contains(.uncommon) else { return nil }
        return DecodingMemory.byteCount(for: header, longestSide: longestSide)
    }

    public func scale(_ order: ScalingOrder) throws(ImageFailure) -> AttachedImage {
        let header = order.header
        guard Self.isAvailable, let type = Self.code(of: header.type) else { throw .noDecoder }
        guard let width = UInt32(exactly: header.width), let height = UInt32(exactly: header.height), header.longerSide <= 65_535,
            let longest = UInt32(exactly: order.longestSide), longest > 0
        else { throw .size }
        let input = open(order.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard input >= 0 else { throw .storage }
        defer { close(input) }
        let part = order.outputStem + ".part"
        let output = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw .storage }
        let result: waxwing_image_result
        do throws(ImageFailure) {
            defer { close(output) }
            let job = waxwing_image_order(
                input: input, output: output, type: type, width: width, height: height, longest: longest,
                orientation: Int32(header.orientation), deadline: try Self.deadline(order.budget))
            result = try Self.run(job)
        } catch {
            unlink(part)
            throw error
        }
        let written = result.type == waxwing_image_png ? ImageType.png : .jpeg
        let path = "\(order.outputStem).\(written.fileExtension)"
        guard rename(part, path) == 0 else {
            unlink(part)
            throw .storage
        }
        return AttachedImage(path: path, type: written)
    }

    private static func run(_ order: waxwing_image_order) throws(ImageFailure) -> waxwing_image_result {
        var result = waxwing_image_result()
        let answer = withUnsafePointer(to: order) { waxwing_image_scale($0, &result) }
        switch answer {
        case waxwing_image_done: return result
        case waxwing_image_unavailable: throw .noDecoder
        case waxwing_image_late: throw .timeout
        case waxwing_image_no_memory: throw .overBudget
        case waxwing_image_unwritten: throw .storage
        default: throw .decoding
        }
    }

    /// Nanoseconds of the system's monotonic clock.
    private static func deadline(_ budget: Duration) throws(ImageFailure) -> Int64 {
        var now = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { throw .timeout }
        // More than a minute is no limit to anything here.
        let left = min(budget, .seconds(60))
        return Int64(now.tv_sec + Int(left.components.seconds)) * 1_000_000_000 + Int64(now.tv_nsec)
            + left.components.attoseconds / 1_000_000_000
    }

    private static func code(of type: ImageType) -> waxwing_image_type? {
        switch type {
        case .jpeg: waxwing_image_jpeg
        case .png: waxwing_image_png
        case .gif: waxwing_image_gif
        case .webp: waxwing_image_webp
        case .heic: nil
        }
    }
}
