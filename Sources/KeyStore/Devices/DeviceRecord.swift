public import EnvelopeFormat

/// An enrolled device, as an operator sees it.
public struct DeviceRecord: Equatable, Sendable {
    public let thumbprint: DeviceThumbprint
    public let name: String
    public let enrolled: Int64
    /// Of the last bundle issued to it; nil before the first.
    public let lastSequence: Int64?
    /// The number of conversations it is a member of.
    public let conversationCount: Int
    public let pendingBundleCount: Int
    /// Whether its removal has begun and is to be repeated.
    public let isBeingRemoved: Bool
}
