/// What the libsodium layer refuses or cannot do; names and numbers only, never bytes.
public enum SodiumError: Error, Equatable, Sendable {
    /// `sodium_init` failed: no source of randomness, for one.
    case unavailable
    /// Guarded memory of that many bytes is not to be had.
    case outOfMemory(byteCount: Int)
    /// Guarded memory could not be made read-only.
    case notProtected
    /// A parameter outside the accepted range.
    case outOfRange(parameter: String, value: Int)
    /// A value whose length is not what it must be.
    case wrongLength(of: String, byteCount: Int)
    /// A passphrase of no bytes.
    case emptyPassphrase
    /// Argon2id could not be computed, which means that its memory was not to be had.
    case notDerived(memoryMiB: Int)
    /// The wrapped bytes, the key and the associated data do not belong together.
    case notAuthentic
    /// The system gave no random bytes.
    case noRandomness
    /// libsodium answered an error where none is documented.
    case failed(operation: String)
}

extension SodiumError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable: "libsodium cannot be initialised"
        case .outOfMemory(let byteCount): "no guarded memory for \(byteCount) bytes"
        case .notProtected: "guarded memory cannot be made read-only"
        case .outOfRange(let parameter, let value): "\(parameter) of \(value) is out of range"
        case .wrongLength(let name, let byteCount): "\(name) of \(byteCount) bytes"
        case .emptyPassphrase: "the passphrase is empty"
        case .notDerived(let memoryMiB): "Argon2id failed: \(memoryMiB) MiB of memory are needed"
        case .notAuthentic: "not authentic"
        case .noRandomness: "the system has no randomness"
        case .failed(let operation): "libsodium failed: \(operation)"
        }
    }
}
