import Glibc

/// Sockets that systemd handed over (sd_listen_fds(3)): from descriptor 3 on, with names in the environment.
public struct InheritedSockets: Sendable {
    private static let first: Int32 = 3
    private let names: [String]

    /// - Parameters:
    ///   - environment: looks a variable up.
    ///   - process: of this process; the variables are another's where theirs differs.
    public init(environment: (String) -> String?, process: Int32) {
        guard let owner = environment("LISTEN_PID").flatMap({ Int32($0) }), owner == process,
            let count = environment("LISTEN_FDS").flatMap({ Int($0) }), (1...64).contains(count)
        else {
            names = []
            return
        }
        let given = (environment("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        names = (0..<count).map { $0 < given.count && !given[$0].isEmpty ? given[$0] : "unknown" }
        for index in 0..<count { _ = fcntl(Self.first + Int32(index), F_SETFD, FD_CLOEXEC) }
    }

    /// The descriptor of the first of that name.
    func descriptor(named name: String) -> Int32? {
        names.firstIndex(of: name).map { Self.first + Int32($0) }
    }
}
