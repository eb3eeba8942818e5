public import EnvelopeFormat

/// What became of a bundle that was offered to a device.
public struct BundleResult: Sendable {
    /// `installed`, or why not.
    public let outcome: Outcome
    /// Whether it is byte for byte one that was installed before.
    public let already: Bool
    /// What it says of itself, once it opened.
    public let bundle: ProvisioningBundle?
}
