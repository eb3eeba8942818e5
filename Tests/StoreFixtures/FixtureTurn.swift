import Glibc

/// One user of fixture phones at a time, in whatever process: all copies of a fixture have one store identifier, and so one
/// session, in which one test would lock what another unlocked.
public final class FixtureTurn {
    private let file: Int32

    /// Waits until nobody else has it; it is given back when the object goes.
    public init() throws {
        let path = "/tmp/.waxwing-fixtures-\(geteuid())"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw FixtureFailure(what: path, code: errno) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let code = errno
                close(file)
                throw FixtureFailure(what: path, code: code)
            }
        }
    }

    deinit { close(file) }
}
