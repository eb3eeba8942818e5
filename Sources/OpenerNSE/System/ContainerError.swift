/// A file of the shared container could not be read or written: which, and by which call.
public struct ContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    public let name: String
    public let operation: String
    /// The system's error number.
    public let code: Int32

    public var description: String { "container: \(name): \(operation) failed (\(code))" }
}
