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

    /// This thread's object, which `make` makes where there is none yet; not kept where the system has no room for it.
    func value<Failure: Error>(_ make: () throws(Failure) -> Object) throws(Failure) -> Object {
        guard let key else { return try make() }
        if let kept = pthread_getspecific(key) {
            return Unmanaged<Object>.fromOpaque(kept).takeUnretainedValue()
        }
        let made = try make()
        let kept = Unmanaged.passRetained(made)
        if pthread_setspecific(key, kept.toOpaque()) != 0 { kept.release() }
        return made
    }
}
