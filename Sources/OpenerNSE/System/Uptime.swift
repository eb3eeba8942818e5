#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A clock that all processes share and nobody sets; it begins anew with the system.
enum Uptime {
    /// Whole seconds; 0 where the system does not tell.
    static var seconds: Int64 {
        var time = timespec()
        return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? Int64(time.tv_sec) : 0
    }
}
