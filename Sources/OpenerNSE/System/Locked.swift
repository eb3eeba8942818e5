#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A value that one thread at a time has. (The standard library's `Mutex` needs a newer iOS.)
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: Value) {
        mutex = .allocate(capacity: 1)
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "a lock of the default kind can always be made")
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
