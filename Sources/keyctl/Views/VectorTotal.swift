/// The sums over all files.
struct VectorTotal {
    private(set) var vectorFiles = 0
    private var (others, troubles) = (0, 0)
    private var (cases, passed, refused, outside) = (0, 0, 0, 0)
    private(set) var failed = 0

    mutating func add(_ result: VectorResult) {
        switch result {
        case .judged(_, let tally):
            vectorFiles += 1
            cases += tally.cases
            passed += tally.passed
            refused += tally.refused
            failed += tally.failures.count
            outside += tally.outside
            if tally.damage != nil { troubles += 1 }
        case .skipped: others += 1
        case .trouble(let word, _):
            troubles += 1
            if word != nil { vectorFiles += 1 }
        }
    }

    var line: String {
        "in all: \(vectorFiles) vector files, \(cases) cases: \(passed + refused + failed) ran, \(passed) passed, \(refused) refused as "
            + "they must be, \(failed) failed; \(outside) not applicable; \(troubles) damaged or not read, \(others) not vector files"
    }
}
