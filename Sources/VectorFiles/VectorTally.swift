package import EnvelopeFormat

/// What became of the cases of one file, counted so that none is dropped in silence.
package struct VectorTally: Sendable {
    /// Whose vectors these are, and of what: `Wycheproof AES-GCM`.
    package internal(set) var title = ""
    package private(set) var passed = 0
    package private(set) var refused = 0
    /// How many are not applicable, by why.
    package private(set) var notApplicable: [String: Int] = [:]
    /// Each with the name of its case and why.
    package private(set) var failures: [String] = []
    /// What is wrong with the form of the file: the first that was found.
    package private(set) var damage: FormatError?

    package var outside: Int { notApplicable.values.reduce(0, +) }
    package var ran: Int { passed + refused + failures.count }
    package var cases: Int { ran + outside }

    /// Judges a case and counts it. Where the form of the case is wrong, that is kept under its name: the file is damaged, and the
    /// cases after it are judged nevertheless.
    mutating func count(_ name: @autoclosure () -> String, _ judge: () throws -> VectorOutcome) {
        let outcome: VectorOutcome
        do {
            outcome = try judge()
        } catch let error as FormatError {
            return damaged(FormatError(field: "\(name()), \(error.field)", reason: error.reason))
        } catch {
            outcome = .failed("\(error)")
        }
        switch outcome {
        case .passed: passed += 1
        case .refused: refused += 1
        case .notApplicable(let why): notApplicable[why, default: 0] += 1
        case .failed(let why): failures.append("\(name()): \(why)")
        }
    }

    /// Keeps what is wrong with the form of the file.
    mutating func damaged(_ error: FormatError) { damage = damage ?? error }

    /// So many cases that are not looked at.
    mutating func passOver(_ count: Int, _ why: String) {
        if count > 0 { notApplicable[why, default: 0] += count }
    }

    /// Takes the counts of others who judge cases by themselves.
    mutating func add(passed: Int, failures: [String]) {
        self.passed += passed
        self.failures += failures
    }

    /// - Throws: when the file says another number of cases than it has.
    func expect(_ count: Int, _ field: String) throws(FormatError) {
        guard count == cases else { throw FormatError(field: field, reason: "\(count), where there are \(cases) cases") }
    }
}
