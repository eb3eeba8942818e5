/// The keychain could not be asked: gone, damaged, or of an access group this process is not in.
public struct KeychainUnavailable: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, without any bytes of keys or input.
    public let reason: String

    public init(reason: String) { self.reason = reason }

    public var description: String { "the keychain is not available: \(reason)" }
}
