internal import Glibc

/// What an extension may have resident before the system kills it.
package final class MemoryLimit {
    private let byteCount: Int
    private let process: pid_t
    /// Holds the process; nil where none can be made, and then its account is watched alone.
    private let group: MemoryGroup?

    init(_ byteCount: Int, of process: pid_t) {
        self.byteCount = byteCount
        self.process = process
        MemoryGroup.removeLeftovers()
        group = MemoryGroup(byteCount, process)
    }

    /// To be called when the process has been waited for.
    func remove() { group?.remove() }

    /// Whether the process has had more resident than it may. It is killed then.
    func bites() -> Bool {
        guard Self.peak(of: process) > byteCount else { return false }
        kill(process, SIGKILL)
        return true
    }

    /// Whether the kernel has killed for the limit.
    var hasBitten: Bool { group?.hasKilled ?? false }

    /// Bytes, by the kernel's account; 0 of a process that has ended.
    package static func peak(of process: Int32) -> Int {
        guard let text = SystemFile.text("/proc/\(process)/status"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (Int(line.filter { ("0"..."9").contains($0) }) ?? 0) * 1_024
    }
}
