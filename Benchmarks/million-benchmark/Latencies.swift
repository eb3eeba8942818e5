import BenchmarkSupport

/// How long calls took, in seconds.
struct Latencies {
    private(set) var wall: [Double] = []
    private(set) var cpu = 0.0

    mutating func measure(_ body: () throws -> Void) rethrows {
        let (start, cpuStart) = (Clock.monotonic, Clock.process)
        try body()
        wall.append(Clock.monotonic - start)
        cpu += Clock.process - cpuStart
    }

    var median: Double { quantile(0.5) }
    var cpuEach: Double { cpu / Double(max(1, wall.count)) }

    var description: String {
        guard !wall.isEmpty else { return "none" }
        let shown = [("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("slowest", 1)].map { name, part in
            "\(name) \(text(quantile(part) * 1e3, 3)) ms"
        }
        return "\(wall.count) calls: \(shown.joined(separator: ", ")); CPU \(text(cpuEach * 1e6, 1)) µs each"
    }

    private func quantile(_ part: Double) -> Double {
        let sorted = wall.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
