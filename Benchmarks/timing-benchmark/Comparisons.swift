import BenchmarkSupport
import CryptoPrimitives

/// The comparison of secrets, and what the test makes of one that leaks and of one class twice.
enum Comparisons {
    private static let byteCount = 32

    static func pairs() throws -> [TimedPair] {
        func alike() throws -> (first: Compared, second: Compared) { (try .init(differingAt: nil), try .init(differingAt: nil)) }
        func ends() throws -> (first: Compared, second: Compared) { (try .init(differingAt: 0), try .init(differingAt: byteCount - 1)) }
        return [
            TimedPair("control: one class twice", "equal, equal", callsForASample: 32, try RandomInputs.pairs(alike)) { input in
                input.compare(by: constantTimeEqual)
            },
            TimedPair("control: a loop that ends early", "other first, other last byte", callsForASample: 32, try RandomInputs.pairs(ends))
            {
                input in input.compare(by: leakyEqual)
            },
            TimedPair("constantTimeEqual", "other first, other last byte", callsForASample: 32, try RandomInputs.pairs(ends)) { input in
                input.compare(by: constantTimeEqual)
            },
            TimedPair(
                "constantTimeEqual", "equal, other first byte", callsForASample: 32,
                try RandomInputs.pairs { (try .init(differingAt: nil), try .init(differingAt: 0)) }
            ) { (input: Compared) in input.compare(by: constantTimeEqual) },
        ]
    }

    /// What must be found.
    @inline(never)
    private static func leakyEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<left.count where left[index] != right[index] { return false }
        return true
    }

    private struct Compared {
        private let left: [UInt8]
        private let right: [UInt8]
        private let isEqual: Bool

        init(differingAt index: Int?) throws {
            left = try RandomInputs.bytes(byteCount)
            right = index.map { [left] in left.turned(at: $0) } ?? left
            isEqual = index == nil
        }

        @inline(__always)
        func compare(by equal: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool) {
            let answer = left.withUnsafeBytes { left in right.withUnsafeBytes { equal(left, $0) } }
            guard answer == isEqual else { fatal("a comparison") }
        }
    }
}
