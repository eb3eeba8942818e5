internal import Glibc

/// Time in seconds.
public enum Clock {
    /// That passes for everybody.
    public static var monotonic: Double { read(CLOCK_MONOTONIC) }
    /// That this thread had of a processor: what others take from it does not count.
    public static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    /// The same of this process.
    public static var process: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The same of another process, which has not been waited for.
    public static func process(_ identifier: Int32) -> Double {
        var clock: clockid_t = 0
        guard clock_getcpuclockid(identifier, &clock) == 0 else { fatal("clock_getcpuclockid") }
        return read(clock)
    }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [Double] {
    public var median: Double { self.sorted()[count / 2] }
}

/// A number with so many digits behind the point.
public func text(_ value: Double, _ digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int64((value * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = String(whole % Int64(scale))
    return "\(whole / Int64(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
}
