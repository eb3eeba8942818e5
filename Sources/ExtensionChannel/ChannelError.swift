/// The other end is gone, or says something else than it should; names and numbers only.
public enum ChannelError: Error, Equatable, Sendable, CustomStringConvertible {
    case closed
    case system(operation: String, code: Int32)
    case malformed(String)

    public var description: String {
        switch self {
        case .closed: "the other process has ended"
        case .system(let operation, let code): "\(operation) failed (\(code))"
        case .malformed(let what): "what came is no \(what)"
        }
    }
}
