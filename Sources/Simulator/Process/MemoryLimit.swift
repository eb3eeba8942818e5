internal import Glibc

/// What an extension may have resident before the system kills it.
package final class MemoryLimit {
    private let byteCount: Int
    private let process: pid_t
    /// A control group of the kernel's that holds the process; nil where none can be made, and then its account is watched alone.
    private let group: String?

    init(_ byteCount: Int, of process: pid_t) {
        self.byteCount = byteCount
        self.process = process
        group = Self.makeGroup(byteCount, process)
    }

    deinit { if let group { rmdir(group) } }

    /// Whether the process has had more resident than it may. It is killed then.
    func bites() -> Bool {
        guard Self.peak(of: process) > byteCount else { return false }
        kill(process, SIGKILL)
        return true
    }

    /// Bytes, by the kernel's account; 0 of a process that has ended.
    package static func peak(of process: Int32) -> Int {
        guard let text = text("/proc/\(process)/status"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (Int(line.filter { ("0"..."9").contains($0) }) ?? 0) * 1_024
    }

    private static func makeGroup(_ byteCount: Int, _ process: pid_t) -> String? {
        let name = "waxwing-\(getpid())-\(process)"
        for (folder, limit) in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")] {
            let group = "\(folder)/\(name)"
            guard mkdir(group, 0o755) == 0 else { continue }
            if put("\(byteCount)", "\(group)/\(limit)"), put("\(process)", "\(group)/cgroup.procs") { return group }
            rmdir(group)
        }
        return nil
    }

    private static func put(_ text: String, _ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return write(file, text, text.utf8.count) == text.utf8.count
    }

    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
