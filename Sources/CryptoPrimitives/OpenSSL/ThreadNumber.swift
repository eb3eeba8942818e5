import Glibc
import Synchronization

/// A small number for every thread, counted up: what spreads threads over a few places without a table.
enum ThreadNumber {
    private static let next = Atomic<Int>(1)

    /// The key under which a thread keeps its number; nil where the system has no room for one.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The calling thread's number, from 1 on; where it cannot be kept, a new one for every call.
    static var current: Int {
        if let key, let kept = pthread_getspecific(key) { return Int(bitPattern: kept) }
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if let key { _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: number)) }
        return number
    }
}
