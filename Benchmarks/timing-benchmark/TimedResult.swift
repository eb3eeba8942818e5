import BenchmarkSupport
import Glibc

/// What two classes of times come to.
struct TimedResult {
    /// As many croppings as dudect makes.
    private static let cropCount = 100

    let name: String
    let classes: String
    private let first: [Double]
    private let second: [Double]

    init(name: String, classes: String, first: [Double], second: [Double]) {
        self.name = name
        self.classes = classes
        self.first = first.sorted()
        self.second = second.sorted()
    }

    /// A row of a table.
    var row: String {
        let medians = (first: first.median, second: second.median)
        let cropped = largestCropped
        return "| \(name) | \(classes) | \(first.count) | \(text(medians.first, 1)), \(text(medians.second, 1)) ns | "
            + "\(text(medians.second / medians.first, 4)) | \(signed(t(first.count, second.count))) | "
            + "\(signed(cropped.t)) of the fastest \(text(cropped.share * 100, 1)) % |"
    }

    /// The largest of Welch's t where times above a percentile of both classes together are left out. The percentiles are dudect's:
    /// they lie the closer the higher they are, as what is slow is mostly what others did to the machine.
    private var largestCropped: (t: Double, share: Double) {
        let all = (first + second).sorted()
        var largest = (t: 0.0, share: 1.0)
        for crop in 1...Self.cropCount {
            let share = 1 - pow(0.5, 10 * Double(crop) / Double(Self.cropCount))
            let limit = all[Int(share * Double(all.count - 1))]
            let value = t(first.prefix { $0 < limit }.count, second.prefix { $0 < limit }.count)
            if abs(value) > abs(largest.t) { largest = (value, share) }
        }
        return largest
    }

    /// Welch's t of so many of the fastest of either: positive where the first class takes longer.
    private func t(_ firstCount: Int, _ secondCount: Int) -> Double {
        guard firstCount > 1, secondCount > 1 else { return 0 }
        let one = Self.moments(first.prefix(firstCount))
        let other = Self.moments(second.prefix(secondCount))
        let error = (one.variance / Double(firstCount) + other.variance / Double(secondCount)).squareRoot()
        return error > 0 ? (one.mean - other.mean) / error : 0
    }

    private static func moments(_ times: ArraySlice<Double>) -> (mean: Double, variance: Double) {
        let mean = times.reduce(0, +) / Double(times.count)
        let squares = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (mean, squares / Double(times.count - 1))
    }

    private func signed(_ value: Double) -> String { (value < 0 ? "-" : "+") + text(abs(value), 1) }
}
