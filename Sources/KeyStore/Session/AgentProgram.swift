internal import Synchronization

/// The program that becomes a session agent: ours again, with a hidden command.
public struct AgentProgram: Equatable, Sendable {
    /// The executable's path.
    public let path: String

    /// The arguments before those of the agent itself.
    public let arguments: [String]

    public init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// The one that unlocking in this process starts when an agent is needed; nil at first.
    ///
    /// ``SessionAgent/serveIfAsked(_:)`` sets it to the running program.
    public static var current: AgentProgram? {
        get { registered.withLock { $0 } }
        set { registered.withLock { $0 = newValue } }
    }

    private static let registered = Mutex<AgentProgram?>(nil)
}
