internal import Foundation

/// How far several threads are, so that one waits for another without sleeping.
public final class Pace: @unchecked Sendable {
    private let condition = NSCondition()
    private var steps: [String: Int] = [:]
    private var isOver = false

    public init() {}

    /// Counts one step of a kind.
    public func step(_ kind: String) {
        condition.lock()
        steps[kind, default: 0] += 1
        condition.broadcast()
        condition.unlock()
    }

    /// Lets everybody go: one of them failed.
    public func end() {
        condition.lock()
        isOver = true
        condition.broadcast()
        condition.unlock()
    }

    /// Returns once so many steps of that kind were taken; throws when all was ended before.
    public func wait(for kind: String, _ count: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while steps[kind, default: 0] < count, !isOver { condition.wait() }
        if isOver { throw WorkerFailure("ended, as another thread failed") }
    }
}
