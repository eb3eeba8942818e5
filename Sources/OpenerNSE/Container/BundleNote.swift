public import EnvelopeFormat

/// Messages came under a key that the device does not have: the app should fetch a bundle.
public struct BundleNote: Sendable, Equatable {
    /// nil where the message was for another device, or named no key.
    public let kid: KeyIdentifier?
    /// Seconds since 1970.
    public internal(set) var first: Int64
    public internal(set) var last: Int64
    public internal(set) var count: Int64
}
