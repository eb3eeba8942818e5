/// Why a sealed attachment was not opened, or a file not sealed. It says no more than its name.
public enum AttachmentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No sealed file begins so, or has that length.
    case malformed
    /// A segment was changed, moved or left out, the end was cut off, something was added, or the key is another.
    case notAuthentic
    /// More segments than a nonce can count.
    case tooLong
    /// It was used again after it ended or failed.
    case ended

    public var description: String {
        switch self {
        case .malformed: "not a sealed attachment"
        case .notAuthentic: "not authentic: altered, cut short, or sealed under another key"
        case .tooLong: "too long to be sealed"
        case .ended: "used after its end"
        }
    }
}
