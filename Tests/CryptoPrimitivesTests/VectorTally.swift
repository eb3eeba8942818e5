import Testing

/// What became of one case of a vector file.
enum VectorOutcome {
    case passed
    /// Must be refused and was.
    case refused
    /// Outside what our API offers, which was shown to refuse it where it can be asked.
    case notApplicable(String)
    case failed(String)
}

/// Counts a file's cases, so that none is dropped in silence.
struct VectorTally {
    let file: String
    private(set) var passed = 0
    private(set) var refused = 0
    private(set) var notApplicable: [String: Int] = [:]
    private(set) var failures: [String] = []

    init(_ file: String) {
        self.file = file
    }

    mutating func count(_ name: String, _ judge: () throws -> VectorOutcome) {
        do {
            switch try judge() {
            case .passed: passed += 1
            case .refused: refused += 1
            case .notApplicable(let why): notApplicable[why, default: 0] += 1
            case .failed(let why): failures.append("\(name): \(why)")
            }
        } catch {
            failures.append("\(name): \(error)")
        }
    }

    /// Prints the sums and expects them to be as many as the file has cases, none of them failed.
    func expectAll(_ expected: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let outside = notApplicable.values.reduce(0, +)
        let total = passed + refused + outside + failures.count
        print(
            "\(file): \(expected) cases, \(passed + refused) ran: \(passed) passed, \(refused) refused as they must be,",
            "\(failures.count) failed; \(outside) not applicable")
        for (why, count) in notApplicable.sorted(by: { $0.key < $1.key }) { print("    \(count): \(why)") }
        #expect(total == expected, "cases dropped from \(file)", sourceLocation: sourceLocation)
        #expect(passed > 0, "\(file): nothing ran", sourceLocation: sourceLocation)
        #expect(failures.isEmpty, "\(file)", sourceLocation: sourceLocation)
    }
}
