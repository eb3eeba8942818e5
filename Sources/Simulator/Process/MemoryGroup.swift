internal import Glibc

/// A control group of the kernel's with a limit of memory and one process in it.
struct MemoryGroup {
    /// Of both versions of control groups: where they are, how a limit is set, and where the kernel says that it has killed.
    private static let versions = [
        (folder: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", kills: "memory.oom_control"),
        (folder: "/sys/fs/cgroup", limit: "memory.max", kills: "memory.events"),
    ]
    private static let prefix = "waxwing-"
    private let path: String
    private let kills: String

    /// - Returns: nil where none can be made.
    init?(_ byteCount: Int, _ process: pid_t) {
        for version in Self.versions {
            let path = "\(version.folder)/\(Self.prefix)\(getpid())-\(process)"
            guard mkdir(path, 0o755) == 0 else { continue }
            if SystemFile.put("\(byteCount)", "\(path)/\(version.limit)"), SystemFile.put("\(process)", "\(path)/cgroup.procs") {
                self.path = path
                kills = "\(path)/\(version.kills)"
                return
            }
            rmdir(path)
        }
        return nil
    }

    /// Whether the kernel has killed in it for want of memory.
    var hasKilled: Bool {
        let line = SystemFile.text(kills)?.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
        return line.flatMap { Int($0.dropFirst(9)) } ?? 0 > 0
    }

    /// To be called when nothing is in it.
    func remove() { rmdir(path) }

    /// Removes those of simulators that were killed. One with a process in it cannot be removed.
    static func removeLeftovers() {
        for version in versions {
            guard let folder = opendir(version.folder) else { continue }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                if isLeftover(name) { rmdir("\(version.folder)/\(name)") }
            }
        }
    }

    /// Whether it has the name of a group whose maker is gone.
    static func isLeftover(_ name: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let numbers = name.dropFirst(prefix.utf8.count).split(separator: "-").map { pid_t($0) }
        guard numbers.count == 2, let maker = numbers[0], maker > 0, numbers[1] != nil else { return false }
        return kill(maker, 0) != 0 && errno == ESRCH
    }
}
