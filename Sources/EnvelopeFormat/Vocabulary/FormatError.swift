/// Input that cannot be sealed, enrolled or named: which field, and why. It never holds the input itself.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The member or value at fault, as the documents call it.
    public let field: String
    /// What is wrong with it.
    public let reason: String
    /// Whether all is well but for the room: what was asked for cannot be made to fit the limit.
    public let doesNotFit: Bool

    public init(field: String, reason: String, doesNotFit: Bool = false) {
        self.field = field
        self.reason = reason
        self.doesNotFit = doesNotFit
    }

    public var description: String { "\(field): \(reason)" }
}
