import Foundation

/// A file system of its own in memory, as small as it is asked to be; unmounted when it goes.
final class SmallDisk {
    let path: String
    private var filler: String { path + "/filler" }

    init(byteCount: Int) throws {
        path = try PreparedOperation.temporaryFolder(in: "/tmp")
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount),mode=700") == 0 else {
            rmdir(path)
            throw POSIXError(.EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Whether this user may mount one.
    static let isPossible = (try? SmallDisk(byteCount: 1 << 16)) != nil

    /// Leaves so many bytes free.
    func fill(leaving room: Int) throws {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw POSIXError(.EIO) }
        let count = max(0, Int(status.f_bavail) * Int(status.f_bsize) - room)
        let file = open(filler, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(file) }
        let code = posix_fallocate(file, 0, max(1, count))
        guard code == 0 || code == ENOSPC && room == 0 else { throw POSIXError(.EIO) }
    }

    func makeRoom() { unlink(filler) }

    /// Covers it by a view of itself that is only to be read, or takes that away.
    func setReadOnly(_ isReadOnly: Bool) throws {
        guard isReadOnly else { return umount2(path, Int32(MNT_DETACH)) == 0 ? () : try fail() }
        let flags = UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY)
        guard mount(path, path, nil, UInt(MS_BIND), nil) == 0, mount(nil, path, nil, flags, nil) == 0 else { return try fail() }
    }

    private func fail() throws { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
