import Glibc

/// One object per thread, made at first use and let go when the thread ends.
struct ThreadKept<Object: AnyObject>: Sendable {
    private let key: pthread_key_t?

    init() {
        var key = pthread_key_t()
        let answer = pthread_key_create(&key) { kept in
            guard let kept else { return }
            Unmanaged<AnyObject>.fromOpaque(kept).release()
        }
        self.key = answer == 0 ? key : nil
    }

    /// Runs the body with this thread's object, which `make` makes where there is none yet; where the system has no room
    /// to keep it, with one for this call.
    @inline(__always)
    func withValue<Result, Failure: Error>(
        _ make: () throws(Failure) -> Object, _ body: (Object) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let key, let kept = pthread_getspecific(key) {
            return try body(Unmanaged<Object>.fromOpaque(kept).takeUnretainedValue())
        }
        let made = try make()
        if let key {
            let kept = Unmanaged.passRetained(made)
            if pthread_setspecific(key, kept.toOpaque()) != 0 { kept.release() }
        }
        return try body(made)
    }
}
