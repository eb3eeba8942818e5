/// A text that the app's templates do not give, for the app's developers: which, and why. It holds no value of an argument and no text
/// of a file.
public struct UnrenderedText: Equatable, Sendable {
    /// What the message asks for.
    public let key: String
    /// Of each file that was asked, in that order.
    public let reason: String
}
