internal import EnvelopeFormat

/// Times and counts of the life cycle, in seconds and seals.
enum Cryptoperiod {
    static let day: Int64 = 86_400
    /// How long what was sealed under a secret opens after it was deactivated: more than the 30 days APNs stores.
    static let openAfterDeactivation = 35 * day
    /// From the issue of a bundle to its end.
    static let bundleLifetime = 30 * day
    /// So many epochs above a member's last bundle a new one is issued, before the 512 a device steps are used up.
    static let bundleEpochs = 384
    /// The age at which an epoch is left, unless a conversation has its own.
    static let standardMaximumAge = 30 * day
    /// 512 ratchets must outlast the longest absence one wants to serve.
    static let leastMaximumAge = day
    /// Ten years.
    static let greatestMaximumAge = 3_653 * day
    /// What began more than this ahead of now began by a clock that was wrong, and counts as too old.
    static let clockTolerance = Validity.clockTolerance
    /// What is taken for a time: 0 to 2^53-1, as in claims.
    static let times: ClosedRange<Int64> = 0...9_007_199_254_740_991
    /// So many seals leased under one key, and it is time for the next.
    static let ratchetAtSeals: Int64 = 1 << 31
    /// So many seals, and none more (NIST SP 800-38D section 8.3).
    static let lastSeal: Int64 = 1 << 32
}
