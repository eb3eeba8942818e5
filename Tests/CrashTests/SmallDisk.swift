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
        let block = Int(status.f_bsize)
        var count = max(block, Int(status.f_bavail) * block - room)
        let file = open(filler, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(file) }
        // The kernel tells what is free only about, and allocates all that is asked for or nothing.
        var code = posix_fallocate(file, 0, count)
        while code == ENOSPC, count > block {
            count -= block
            code = posix_fallocate(file, 0, count)
        }
        guard code == 0 || code == ENOSPC else { throw POSIXError(.EIO) }
        while room == 0, posix_fallocate(file, count, block) == 0 { count += block }
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
