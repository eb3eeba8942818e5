internal import CLinux
internal import Glibc

/// The hidden side of a program: the agent that keeps class keys where there is no kernel keyring.
public enum SessionAgent {
    /// The hidden command's name.
    public static let command = "session-agent"

    /// The first thing of a `main`: becomes the agent, and does not come back, when the arguments (without the
    /// program's name) ask for it; notes otherwise that this program can be started as one.
    public static func serveIfAsked(_ arguments: [String]) {
        if arguments.first == command {
            exit(run(Array(arguments.dropFirst())))
        }
        AgentProgram.current = AgentProgram(path: "/proc/self/exe", arguments: [command])
    }

    /// Serves on the descriptors that ``AgentLauncher`` left, until the last key is evicted, the socket's file is gone,
    /// or no key came in 10 seconds.
    /// - Parameter arguments: the store's gid if it has a group.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            try ProcessHardening.apply()
            var group: UInt32?
            if let argument = arguments.first {
                guard let number = UInt32(argument) else { return 2 }
                group = number
            }
            // It belongs to no terminal and keeps no directory busy.
            guard arguments.count <= 1, setsid() >= 0 || errno == EPERM, chdir("/") == 0 else { return 2 }
            // Whoever started it may have blocked signals; an administrator's kill is to end it.
            var none = sigset_t()
            guard sigemptyset(&none) == 0, sigprocmask(SIG_SETMASK, &none, nil) == 0,
                waxwing_default_action(SIGTERM) == 0
            else { return 2 }
            for number in [SIGHUP, SIGINT, SIGPIPE] {
                guard waxwing_ignore(number) == 0 else { return 2 }
            }
            try AgentService(group: group).serve()
            return 0
        } catch {
            return 1
        }
    }
}
