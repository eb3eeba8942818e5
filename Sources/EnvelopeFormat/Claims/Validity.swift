/// From when to when something sealed counts: the claims `iat` and `exp`, in seconds since 1970 (RFC 7519 section 4.1).
public struct Validity: Sendable, Equatable {
    /// The most seconds between `iat` and `exp`: 31 days.
    public static let maximumAge: Int64 = 2_678_400
    /// How far in the future `iat` may lie, in seconds, for clocks that differ.
    public static let clockTolerance: Int64 = 600
    /// The largest time: 2^53-1.
    public static let latestTime: Int64 = 9_007_199_254_740_991

    public let issuedAt: Int64
    /// nil where the claim is absent: then ``maximumAge`` after `iat` counts.
    public let expiresAt: Int64?

    /// - Throws: ``FormatError`` unless 0 <= iat < exp <= iat + 31 days.
    public init(issuedAt: Int64, expiresAt: Int64?) throws(FormatError) {
        guard (0...Self.latestTime).contains(issuedAt) else {
            throw FormatError(field: "iat", reason: "outside 0 to 2^53-1")
        }
        if let expiresAt {
            guard expiresAt > issuedAt, expiresAt <= min(issuedAt + Self.maximumAge, Self.latestTime) else {
                throw FormatError(field: "exp", reason: "not after iat and within 31 days of it")
            }
        }
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// When it ends: `exp`, or its bound without one.
    public var end: Int64 { expiresAt ?? issuedAt + Self.maximumAge }

    /// - Throws: `expired` at or after the end, `not-yet-valid` when issued too far in the future.
    public func check(at now: Int64) throws(Outcome) {
        if now >= end { throw .expired }
        if issuedAt - Self.clockTolerance > now { throw .notYetValid }
    }
}
