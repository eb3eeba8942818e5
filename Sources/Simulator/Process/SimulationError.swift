/// The extension could not be run: names and numbers only.
public enum SimulationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program of the extension is not there, or cannot be run.
    case noProgram(path: String, code: Int32)
    case system(operation: String, code: Int32)
    /// The program said something that no extension says.
    case malformed(path: String, reason: String)

    public var description: String {
        switch self {
        case .noProgram(let path, let code): "\(path): the extension's program cannot be run (\(code))"
        case .system(let operation, let code): "\(operation) failed (\(code))"
        case .malformed(let path, let reason): "\(path): no extension of this version: \(reason)"
        }
    }
}
