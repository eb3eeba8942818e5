import Foundation

/// Users, groups and processes apart from those of this machine, in namespaces that a process keeps; it ends with this value.
final class Machine {
    private let process: pid_t

    /// - Parameter text: the number of the process.
    init(_ text: String) throws {
        guard let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), process > 1 else {
            throw CocoaError(.formatting)
        }
        self.process = process
    }

    /// The first of them, whose end is that of all.
    deinit { kill(process, SIGKILL) }

    /// Words that run a command in it.
    func words(in folder: String) -> [String] {
        ["/usr/bin/nsenter", "--target", "\(process)", "--mount", "--pid", "--wd=\(folder)"]
    }

    /// Whether there can be one.
    static var isPossible: Bool {
        guard geteuid() == 0, let place = try? Workplace() else { return false }
        return (try? place.run("unshare --mount --pid --fork --mount-proc mount --bind . /mnt"))?.status == 0
    }
}
