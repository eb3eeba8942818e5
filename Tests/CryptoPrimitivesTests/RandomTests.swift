import Foundation
import Glibc
import Testing

@testable import CryptoPrimitives

@Suite struct RandomTests {
    @Test func everyByteIsFilled() throws {
        for count in [1, 12, 16, 4095, 4096, 4097, 10_000] {
            var (pooled, direct) = ([UInt8](repeating: 0, count: count), [UInt8](repeating: 0, count: count))
            // A byte that is 0 forty times was not written: 1 in 2^320 otherwise.
            var (seenPooled, seenDirect) = (pooled, direct)
            for _ in 0..<40 {
                try pooled.withUnsafeMutableBytes { try RandomPool.fill($0) }
                try direct.withUnsafeMutableBytes { try SystemRandomBytes.fill($0) }
                for index in 0..<count {
                    seenPooled[index] |= pooled[index]
                    seenDirect[index] |= direct[index]
                }
            }
            #expect(!seenPooled.contains(0) && !seenDirect.contains(0), "\(count) bytes")
        }
        #expect(try SystemRandomBytes.bytes(33).count == 33)
        try RandomPool.fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    @Test func noValueComesTwice() throws {
        var seen = Set<[UInt8]>()
        for index in 0..<20_000 {
            var value = [UInt8](repeating: 0, count: index % 2 == 0 ? 12 : 16)
            try value.withUnsafeMutableBytes { try RandomPool.fill($0) }
            seen.insert(Array(value.prefix(12)))
        }
        #expect(seen.count == 20_000)
    }

    @Test func whatIsHandedOutIsWipedFromTheStock() throws {
        let stock = try #require(RandomStock.ofThisThread)
        var value = [UInt8](repeating: 0, count: 16)
        try value.withUnsafeMutableBytes { try stock.fill($0) }
        let left = stock.left
        #expect(left > 0 && left < RandomStock.byteCount)
        #expect(stock.bytes(from: 0, count: left).contains { $0 != 0 })
        #expect(stock.bytes(from: left, count: RandomStock.byteCount - left).allSatisfy { $0 == 0 })
    }

    /// Of a source that says it wrote and did not, or wrote one byte over and over.
    @Test(arguments: [(12, UInt8(0)), (16, 0xDB), (4096, 0x42)]) func oneByteOverAndOverIsNoRandomness(_ count: Int, _ byte: UInt8) throws {
        var buffer = [UInt8](repeating: byte, count: count)
        #expect(throws: SystemRandomBytes.Unavailable(code: EIO)) {
            try buffer.withUnsafeMutableBytes { buffer in try SystemRandomBytes.fill(buffer) { $0.count } }
        }
        #expect(buffer == [UInt8](repeating: 0, count: count))
        // One other byte is enough, and what is shorter may be so by chance.
        buffer[count - 1] = 1
        try buffer.withUnsafeMutableBytes { buffer in try SystemRandomBytes.fill(buffer) { $0.count } }
        #expect(buffer.last == 1)
        var short = [UInt8](repeating: byte, count: 11)
        try short.withUnsafeMutableBytes { buffer in try SystemRandomBytes.fill(buffer) { $0.count } }
    }

    @Test func aForkedChildHasNothingOfItsParents() throws {
        // The same thread forks and asks, so all three would take the same bytes of one stock.
        // Other tests may have run on this thread: it draws until enough is left for all.
        var first = [UInt8](repeating: 0, count: 12)
        repeat { try first.withUnsafeMutableBytes { try RandomPool.fill($0) } } while (RandomStock.ofThisThread?.left ?? 64) < 64
        #expect(RandomStock.ofThisThread != nil)
        let children = try [forkedValue(), forkedValue()]
        var mine = [UInt8](repeating: 0, count: 16)
        try mine.withUnsafeMutableBytes { try RandomPool.fill($0) }
        #expect(children.allSatisfy { $0.contains { $0 != 0 } })
        #expect(Set(children + [mine]).count == 3)
    }

    @Test func everyThreadHasItsOwnStock() throws {
        let values = Locked<Set<[UInt8]>>([])
        let threads = (0..<8).map { _ in
            Thread {
                var value = [UInt8](repeating: 0, count: 16)
                let filled = value.withUnsafeMutableBytes { buffer in
                    (try? RandomPool.fill(buffer)) != nil && RandomStock.ofThisThread?.left == 4096 - 16
                }
                values.change { _ = $0.insert(filled ? value : []) }
            }
        }
        for thread in threads { thread.start() }
        while threads.contains(where: { !$0.isFinished }) { sched_yield() }
        values.change { #expect($0.count == 8 && !$0.contains([])) }
    }

    @Test func aSourceIsAskedUntilTheBufferIsFull() throws {
        var answers = [3, -1, 1, 6]
        var buffer = [UInt8](repeating: 0, count: 10)
        try buffer.withUnsafeMutableBytes { buffer in
            try SystemRandomBytes.fill(buffer) { rest in
                let answer = answers.removeFirst()
                if answer < 0 { errno = EINTR }
                for index in 0..<max(answer, 0) { rest[index] = UInt8(answer) }
                return answer
            }
        }
        #expect(buffer == [3, 3, 3, 1, 6, 6, 6, 6, 6, 6])
    }

    @Test(arguments: [(-1, ENOSYS), (0, EIO)])
    func aSourceThatFailsLeavesNothing(_ answer: Int, _ code: Int32) {
        var isFirst = true
        var buffer = [UInt8](repeating: 0xAA, count: 10)
        #expect(throws: SystemRandomBytes.Unavailable(code: code)) {
            try buffer.withUnsafeMutableBytes { buffer in
                try SystemRandomBytes.fill(buffer) { rest in
                    if isFirst {
                        isFirst = false
                        return 4
                    }
                    errno = code
                    return answer
                }
            }
        }
        #expect(buffer == [UInt8](repeating: 0, count: 10))
    }

    /// 16 bytes that a forked child takes from the pool.
    private func forkedValue() throws -> [UInt8] {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var value = [UInt8](repeating: 0, count: 16)
        let child = fork()
        if child == 0 {
            let filled = value.withUnsafeMutableBytes { (try? RandomPool.fill($0)) != nil }
            _exit(filled && write(ends[1], value, 16) == 16 ? 0 : 1)
        }
        try #require(child > 0)
        close(ends[1])
        defer { close(ends[0]) }
        var status: Int32 = -1
        #expect(read(ends[0], &value, 16) == 16)
        #expect(waitpid(child, &status, 0) == child && status == 0)
        return value
    }
}

/// A value behind a lock.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func change(_ body: (inout Value) -> Void) {
        lock.withLock { body(&value) }
    }
}
