import Glibc

/// Monotonic time that is cheap to ask for and a few milliseconds behind.
enum CoarseClock {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
