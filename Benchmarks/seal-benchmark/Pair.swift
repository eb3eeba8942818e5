import BenchmarkSupport

/// Two loops, run in turns in one process so that both meet the same machine.
struct Pair {
    private static let rounds = 9

    let name: String
    /// How many iterations at a time.
    let batch: Int
    let seconds: Double

    /// Prints the median time of one iteration of either, and the bare loop's share.
    func run(bare: () throws -> Void, sealing: () throws -> Void) rethrows {
        try turn(bare)
        try turn(sealing)
        var times: (bare: [Double], sealing: [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            times.bare.append(try turn(bare))
            times.sealing.append(try turn(sealing))
        }
        let (bare, sealing) = (times.bare.median, times.sealing.median)
        let spread = zip(times.bare, times.sealing).map { $0 / $1 * 100 }.sorted()
        print(
            "\(name): bare \(text(bare * 1e9, 0)) ns, sealer \(text(sealing * 1e9, 0)) ns = \(text(1 / sealing, 0)) seals/s "
                + "and core; \(text(bare / sealing * 100, 1)) % of the bare loop "
                + "(pairs \(text(spread[0], 1)) to \(text(spread[spread.count - 1], 1)) %)")
    }

    @discardableResult
    private func turn(_ body: () throws -> Void) rethrows -> Double {
        let start = Clock.thread
        var count = 0
        repeat {
            for _ in 0..<batch { try body() }
            count += batch
        } while Clock.thread - start < seconds / Double(Self.rounds)
        return (Clock.thread - start) / Double(count)
    }
}
