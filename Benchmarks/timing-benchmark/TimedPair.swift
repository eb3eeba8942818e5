import BenchmarkSupport

/// Two classes of inputs to one piece of code, timed in random order, as many of one as of the other.
struct TimedPair {
    /// So many of a class at a time, in random order among as many of the other.
    private static let blockCount = 32

    let name: String
    let classes: String
    private let inputCount: Int
    /// Nanoseconds a call takes with the input of a number: even ones are of the first class, odd ones of the second.
    private let sample: (_ input: Int) -> Double

    /// - Parameters:
    ///   - callsForASample: so many are timed as one, where one takes less than the clock can tell.
    ///   - inputs: many, so that no one of them is measured.
    ///   - prepare: makes of an input what the body takes, before each sample: at the same place in memory for all, or as good as
    ///     that, or the places would be measured.
    init<Input, Prepared>(
        _ name: String, _ classes: String, callsForASample: Int = 1, _ inputs: [(first: Input, second: Input)],
        prepare: @escaping (Input) throws -> Prepared, _ body: @escaping (Prepared) -> Void
    ) {
        self.name = name
        self.classes = classes
        inputCount = inputs.count
        let inputs = inputs.flatMap { [$0.first, $0.second] }
        sample = { input in
            guard let prepared = try? prepare(inputs[input]) else { fatal("an input") }
            // What preparing left behind is over then.
            for _ in 0..<callsForASample { body(prepared) }
            let start = Clock.monotonic
            for _ in 0..<callsForASample { body(prepared) }
            return (Clock.monotonic - start) * 1e9 / Double(callsForASample)
        }
    }

    func measured(seconds: Double) -> TimedResult {
        var generator = SystemRandomNumberGenerator()
        let order = [Int](repeating: 0, count: Self.blockCount) + [Int](repeating: 1, count: Self.blockCount)
        for input in 0..<2 * inputCount { _ = sample(input) }
        // In one array, so that writing one down is the same for both.
        var samples: [(which: Int, time: Double)] = []
        let start = Clock.monotonic
        repeat {
            for which in order.shuffled(using: &generator) {
                samples.append((which, sample(2 * Int.random(in: 0..<inputCount, using: &generator) + which)))
            }
        } while Clock.monotonic - start < seconds
        func times(_ which: Int) -> [Double] { samples.filter { $0.which == which }.map(\.time) }
        return TimedResult(name: name, classes: classes, first: times(0), second: times(1))
    }
}
