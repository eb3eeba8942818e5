#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A lock of the kernel's on a file, for as long as the object is there; it ends with the process at the latest.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes a descriptor over. Nil when somebody else has the lock.
    init?(owning descriptor: Int32) {
        self.descriptor = descriptor
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Notes a number beside the lock, for whoever does not get it: as the time of the file's last change. It needs no room on the disk.
    /// - Parameter number: 0 or more.
    /// - Returns: false where the system refuses.
    func note(_ number: Int64) -> Bool {
        let time = timespec(tv_sec: Int(number), tv_nsec: 0)
        return futimens(descriptor, [time, time]) == 0
    }

    /// Whether it is on the file of that status.
    func isOn(_ status: stat) -> Bool {
        var own = stat()
        return fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino
    }
}
