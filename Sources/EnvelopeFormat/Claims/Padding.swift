/// How far the plaintext is padded with spaces, so that its length says less (envelope spec, section 5.5).
public enum Padding: String, Sendable, CaseIterable {
    /// Up to the smallest of ``buckets`` that holds it; where that does not fit or there is none, as ``full``.
    case bucket
    /// Up to the longest plaintext that fits.
    case full
    case none

    /// In bytes.
    public static let buckets = [256, 512, 768, 1024, 1536, 2048]

    /// The padded length in bytes of a plaintext of `count` bytes where at most `capacity` fit.
    /// - Precondition: `count` is at most `capacity`.
    public func paddedCount(_ count: Int, capacity: Int) -> Int {
        switch self {
        case .none: return count
        case .full: return capacity
        case .bucket:
            guard let bucket = Self.buckets.first(where: { $0 >= count }), bucket <= capacity else { return capacity }
            return bucket
        }
    }
}
