/// What was not as it must be.
public struct CrashFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
