internal import Glibc

/// The process that a lease was granted to.
struct LeaseHolder: Equatable, Sendable {
    let user: Int64
    let process: Int64

    /// The process that asks.
    static var current: LeaseHolder { LeaseHolder(user: Int64(geteuid()), process: Int64(getpid())) }
}
