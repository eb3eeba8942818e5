internal import Glibc

/// Who asks for something: the process, and for one that works for others, whose token it was shown.
public struct Caller: Equatable, Sendable {
    public let user: Int64
    public let process: Int64
    /// The name of a token, never the token; nil where no service is in between.
    public let token: String?

    init(user: Int64, process: Int64, token: String? = nil) {
        self.user = user
        self.process = process
        self.token = token
    }

    /// This process.
    static var current: Caller { Caller(user: Int64(geteuid()), process: Int64(getpid())) }
}
