import OpenerNSE

/// The product's own lock by the name of the standard library's: of that one, where threads have to wait for it, the thread sanitizer
/// sees nothing, and takes what it protects for unprotected.
typealias Mutex = Locked

extension Locked {
    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        try with { value in
            Swift.Result { () throws(Failure) in try body(&value) }
        }.get()
    }
}
