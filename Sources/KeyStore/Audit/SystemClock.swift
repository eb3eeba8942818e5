internal import Glibc

/// The time of day.
enum SystemClock {
    /// Seconds since 1970.
    static var seconds: Int64 { Int64(time(nil)) }
}
