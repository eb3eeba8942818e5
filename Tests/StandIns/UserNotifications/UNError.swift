/// What notifications are refused for.
public struct UNError: Error, Sendable {
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
    }

    public let code: Code

    init(_ code: Code) { self.code = code }
}
