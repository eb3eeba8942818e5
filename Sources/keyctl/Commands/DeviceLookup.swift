import EnvelopeFormat
import KeyStore

/// Devices by what a list calls them: most lines name the same few as the line before. That a device is still there is
/// looked at again when something is made for it.
struct DeviceLookup {
    private static let limit = 1_000
    private var found: [String: DeviceThumbprint] = [:]

    /// - Parameter conversation: whose member it is to be.
    mutating func thumbprint(
        _ start: String, of conversation: ConversationIdentifier, in sealer: SealerStore, now: Int64
    ) throws -> DeviceThumbprint {
        if let known = found[start] { return known }
        let thumbprint = try sealer.device(
            matching: start, for: .provision, of: "conversation \(conversation)", now: now
        ).thumbprint
        if found.count >= Self.limit { found.removeAll() }
        found[start] = thumbprint
        return thumbprint
    }
}
