import Glibc
import ImageScaler
import OpenerNSE

/// A process of its own for the tests and measurements of decoding: what it needs is measured of it alone, and a crash is its own.
///
/// `image-probe [--force] FILE STEM [LIMIT]` plans and, where it is to be scaled, scales. It prints one line: the plan's estimate
/// in bytes or `-`, resident bytes at most before and after, milliseconds, and what came of it. `--force` scales whatever the plan.
@main
enum ImageProbe {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isForced = arguments.first == "--force"
        if isForced { arguments.removeFirst() }
        guard arguments.count >= 2 else { exit(64) }
        let before = peak()
        let began = ContinuousClock.now
        var estimate: Int?
        let answer: String
        do throws(ImageFailure) {
            let header = try readHeader(arguments[0])
            var limits = ImageLimits()
            if arguments.count > 2, let side = Int(arguments[2]) { limits.longestSide = side }
            let scaler = FileScaler()
            estimate = scaler.memory(for: header, longestSide: limits.longestSide)
            let plan = ImagePlan(header, byteCount: nil, limits: limits, scaler: scaler)
            if isForced || estimate.map({ plan == .scale(byteCount: $0) }) == true {
                let image = try scaler.scale(
                    ScalingOrder(
                        path: arguments[0], header: header, outputStem: arguments[1], longestSide: limits.longestSide,
                        budget: .seconds(30)))
                answer = "scaled \(image.path)"
            } else {
                answer = "\(plan)"
            }
        } catch {
            answer = "failed \(error.rawValue)"
        }
        let time = (ContinuousClock.now - began).components
        let milliseconds = time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000
        print("\(estimate.map(String.init) ?? "-") \(before) \(peak()) \(milliseconds) \(answer)")
    }

    private static func readHeader(_ path: String) throws(ImageFailure) -> ImageHeader {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { exit(66) }
        defer { close(file) }
        var reader = ImageHeaderReader()
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while reader.progress == .needsMore {
            let count = read(file, &bytes, bytes.count)
            guard count > 0 else { break }
            reader.read(Array(bytes.prefix(count)))
        }
        do { return try reader.finish() } catch { throw error.failure }
    }

    /// The most that was resident so far, in bytes, of this program alone (`ru_maxrss` begins with what its parent had).
    private static func peak() -> Int {
        let file = open("/proc/self/status", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? $0.split(separator: "\t")[1]) }.map { $0 * 1024 } ?? 0
    }
}
