import BenchmarkSupport
import CryptoPrimitives

/// The comparison of secrets, and what the test makes of one that leaks and of one class twice.
enum Comparisons {
    private static let byteCount = 32

    static func pairs() throws -> [TimedPair] {
        [
            try pair("control: one class twice", "equal, equal", nil, nil, constantTimeEqual),
            try pair("control: a loop that ends early", "other first, other last byte", 0, byteCount - 1, leakyEqual),
            try pair("constantTimeEqual", "other first, other last byte", 0, byteCount - 1, constantTimeEqual),
            try pair("constantTimeEqual", "equal, other first byte", nil, 0, constantTimeEqual),
        ]
    }

    private static func pair(
        _ name: String, _ classes: String, _ first: Int?, _ second: Int?,
        _ equal: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) throws -> TimedPair {
        let left = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        let right = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        let answers = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        answers.initialize(to: 0)
        let inputs = RandomInputs.pairs { (first: first, second: second) }
        return TimedPair(name, classes, callsForASample: 32, inputs) { place in
            // New in the same memory for both classes.
            try RandomPool.fill(left)
            right.copyMemory(from: UnsafeRawBufferPointer(left))
            right[place ?? 0] ^= place == nil ? 0 : 1
        } _: { _ in
            // Kept without a branch, so that no call can be left out.
            answers.pointee &+= equal(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) ? 1 : 0
        }
    }

    /// What must be found.
    @inline(never)
    private static func leakyEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<left.count where left[index] != right[index] { return false }
        return true
    }
}
