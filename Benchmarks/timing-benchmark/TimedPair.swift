import BenchmarkSupport

/// Two classes of inputs to one piece of code, timed in random order, as many of one as of the other.
struct TimedPair {
    /// So many of a class at a time, in random order among as many of the other.
    private static let blockCount = 32

    let name: String
    let classes: String
    private let callsForASample: Int
    private let inputCount: Int
    private let call: (_ isSecond: Bool, _ input: Int) -> Void

    /// - Parameters:
    ///   - callsForASample: so many are timed as one, where one takes less than the clock can tell.
    ///   - inputs: made in turns, so that they lie in memory alike; many, so that no one of them is measured.
    init<Input>(
        _ name: String, _ classes: String, callsForASample: Int = 1, _ inputs: [(first: Input, second: Input)],
        _ body: @escaping (Input) -> Void
    ) {
        self.name = name
        self.classes = classes
        self.callsForASample = callsForASample
        inputCount = inputs.count
        let first = inputs.map(\.first)
        let second = inputs.map(\.second)
        call = { isSecond, input in body(isSecond ? second[input] : first[input]) }
    }

    func measured(seconds: Double) -> TimedResult {
        var generator = SystemRandomNumberGenerator()
        let order = [Bool](repeating: false, count: Self.blockCount) + [Bool](repeating: true, count: Self.blockCount)
        for isSecond in order.shuffled(using: &generator) { _ = sample(isSecond, 0) }
        var times: (first: [Double], second: [Double]) = ([], [])
        let start = Clock.monotonic
        repeat {
            for isSecond in order.shuffled(using: &generator) {
                let time = sample(isSecond, Int.random(in: 0..<inputCount, using: &generator))
                if isSecond { times.second.append(time) } else { times.first.append(time) }
            }
        } while Clock.monotonic - start < seconds
        return TimedResult(name: name, classes: classes, first: times.first, second: times.second)
    }

    /// Nanoseconds a call.
    private func sample(_ isSecond: Bool, _ input: Int) -> Double {
        let start = Clock.monotonic
        for _ in 0..<callsForASample { call(isSecond, input) }
        return (Clock.monotonic - start) * 1e9 / Double(callsForASample)
    }
}
