internal import Glibc

/// What the kernel says of a file.
struct FileStatus: Equatable, Sendable {
    /// Which file it is, whatever its name.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    let identity: Identity
    let owner: UInt32
    let group: UInt32
    let size: Int64
    private let rawMode: UInt32

    init(_ status: stat) {
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        owner = status.st_uid
        group = status.st_gid
        size = Int64(status.st_size)
        rawMode = status.st_mode
    }

    /// Permissions with the set-id and sticky bits.
    var mode: UInt32 { rawMode & 0o7777 }
    var isDirectory: Bool { rawMode & S_IFMT == S_IFDIR }
    var isRegular: Bool { rawMode & S_IFMT == S_IFREG }
    var isSymbolicLink: Bool { rawMode & S_IFMT == S_IFLNK }

    /// "0644"
    var modeText: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
