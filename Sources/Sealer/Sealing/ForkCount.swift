import Glibc
import Synchronization

/// How often this process is a fork of one that used the sealer: a child starts without its parent's caches.
enum ForkCount {
    private static let count = Atomic<Int>(0)
    private static let isRegistered: Void = {
        pthread_atfork(nil, nil) { ForkCount.count.add(1, ordering: .relaxed) }
    }()

    static var current: Int {
        _ = isRegistered
        return count.load(ordering: .relaxed)
    }
}
