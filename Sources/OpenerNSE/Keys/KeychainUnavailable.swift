/// The keychain could not be asked or changed: gone, damaged, busy, or of an access group this process is not in; or an
/// item could not be written because its class is locked, which is told apart.
public struct KeychainUnavailable: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, without any bytes of keys or input.
    public let reason: String
    /// Whether the lock state is all that stands in the way.
    public let isLocked: Bool

    public init(reason: String, isLocked: Bool = false) {
        self.reason = reason
        self.isLocked = isLocked
    }

    public var description: String { "the keychain is not available: \(reason)" }
}
