import Glibc

/// Monotonic time in seconds.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
    var median: Double { self.sorted()[count / 2] }
}

/// A number with so many digits behind the point.
func text(_ value: Double, _ digits: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int64((value * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = String(whole % Int64(scale))
    return "\(whole / Int64(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
}
