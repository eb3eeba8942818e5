/// What a caller may do.
public enum Scope: String, Sendable, CaseIterable {
    /// Seal, lint.
    case seal
    /// Enroll devices, create and change conversations, fetch and acknowledge bundles.
    case provision
    /// Read metrics.
    case admin
}
