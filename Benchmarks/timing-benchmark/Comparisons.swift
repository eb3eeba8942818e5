import BenchmarkSupport
import CryptoPrimitives

/// The comparison of secrets, and what the test makes of one that leaks and of one class twice.
enum Comparisons {
    private static let byteCount = 32

    private struct Compared {
        let left: [UInt8]
        let right: [UInt8]

        init(differingAt index: Int?) throws {
            left = try RandomInputs.bytes(byteCount)
            // Memory of its own, equal or not.
            var other = [UInt8](left[...])
            if let index { other[index] ^= 1 }
            right = other
        }
    }

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
        let inputs = try RandomInputs.pairs { (first: try Compared(differingAt: first), second: try Compared(differingAt: second)) }
        return TimedPair(name, classes, callsForASample: 32, inputs) { input in
            left.copyBytes(from: input.left)
            right.copyBytes(from: input.right)
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
