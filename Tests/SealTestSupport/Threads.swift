internal import Foundation
internal import Synchronization

/// Bodies that block, each on a thread of its own: the pool of tasks has no more threads than there are processors.
public enum Threads {
    /// Runs them all at once; throws the first error once all have ended.
    public static func run(_ bodies: [@Sendable () throws -> Void]) throws {
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        withExtendedLifetime(group) {
            for body in bodies {
                group.enter()
                let thread = Thread {
                    do { try body() } catch { failure.withLock { $0 = $0 ?? error } }
                    group.leave()
                }
                thread.stackSize = 4 << 20
                thread.start()
            }
            group.wait()
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
