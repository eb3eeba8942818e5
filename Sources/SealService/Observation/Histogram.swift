/// How long things took: counts below bounds that double.
struct Histogram: Sendable {
    /// From 1 microsecond to 33 seconds, in seconds.
    static let bounds: [Double] = (0..<26).map { 1e-6 * Double(1 << $0) }

    private(set) var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
    private(set) var sum = 0.0

    var count: Int { counts.reduce(0, +) }

    mutating func add(_ seconds: Double) {
        // Which power of two of a microsecond it does not exceed.
        let microseconds = seconds * 1e6
        let index = microseconds <= 1 ? 0 : min(Self.bounds.count, 64 - (UInt64(microseconds.rounded(.up)) - 1).leadingZeroBitCount)
        counts[index] += 1
        sum += max(0, seconds)
    }
}
