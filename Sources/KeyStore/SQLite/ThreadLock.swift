internal import Glibc

/// Lets one thread at a time through; a thread that comes twice is refused and not stopped for ever.
final class ThreadLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        let code = pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        precondition(code == 0, "a mutex cannot be made")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func with<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
        guard pthread_mutex_lock(mutex) == 0 else {
            throw KeyStoreError(.refused, "transaction", "one is open in this thread already")
        }
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
