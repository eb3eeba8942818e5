public import EnvelopeFormat
public import KeyStore

/// Why nothing was sealed. There is no payload then, and nothing of the request in the error.
public enum SealingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The request is not as it must be, or does not fit.
    case request(FormatError)
    /// The store has no key for it, or cannot be asked.
    case store(KeyStoreError)
    /// A cryptographic function or the system's randomness failed: what, without any bytes.
    case failed(String)

    public var description: String {
        switch self {
        case .request(let error): error.description
        case .store(let error): error.description
        case .failed(let what): "sealing failed: \(what)"
        }
    }
}
