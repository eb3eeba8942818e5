internal import Foundation

/// The phone's clock.
enum SystemClock {
    /// Seconds since 1970.
    @Sendable static func now() -> Int64 { Int64(Date().timeIntervalSince1970) }
}
