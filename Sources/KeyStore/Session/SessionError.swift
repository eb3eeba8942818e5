internal import Glibc

/// What a session holder refuses or cannot do; names and numbers only, never bytes of a key.
public enum SessionError: Error, Equatable, Sendable {
    /// The caller's own mistake: a name, a length or a timeout that is not accepted.
    case badInput(String)
    /// The system refused, with its `errno`.
    case system(operation: String, code: Int32)
    /// The access group's directory, or a file in it, is not as it must be.
    case unsafe(path: String, reason: String)
    /// The process at the other end is neither of the store's user nor of its group.
    case notAdmitted
    /// The agent did not answer in time.
    case timedOut
    /// The agent answered something else than its protocol has.
    case malformedReply
    /// The agent holds as many keys as it can.
    case full
    /// An agent is needed, and this program has not said how to start one (``AgentProgram``).
    case noAgentProgram
    /// There are or may be keys in the kernel keyring, which this process may not use.
    case keyringOutOfReach
    /// Guarded memory failed.
    case memory(SodiumError)
}

extension SessionError {
    /// The call before failed; `errno` is read before the words are put together.
    static func last(_ operation: @autoclosure () -> String) -> SessionError {
        let code = errno
        return .system(operation: operation(), code: code)
    }
}

extension SessionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badInput(let reason): reason
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        case .unsafe(let path, let reason): "\(path): \(reason)"
        case .notAdmitted: "the process at the other end is of another user"
        case .timedOut: "the session agent does not answer"
        case .malformedReply: "the session agent's answer is malformed"
        case .full: "the session agent is full"
        case .noAgentProgram: "this program cannot start a session agent: it has to call SessionAgent.serveIfAsked first"
        case .keyringOutOfReach: "class keys may be in the kernel keyring, which this process may not use"
        case .memory(let error): error.description
        }
    }
}
