internal import CLinux
package import ExtensionChannel
internal import Glibc

/// A process of the extension's program, with a channel on descriptor 3 and a socket on 4 by which it is told that the time is up.
///
/// It is in a process group of its own: what is typed at a terminal interrupts the simulator, and that ends it. It ends with the thread
/// that has made this, too.
package final class ExtensionChild {
    package let channel: MessageChannel
    /// Descriptor 5: what it wants to be fetched.
    package let fetches: MessageChannel
    package let process: Int32
    private var expiry: Int32
    private var isReaped = false

    /// - Parameter program: an absolute path.
    package init(_ program: String) throws(SimulationError) {
        let (own, other) = try Self.socketPair()
        channel = MessageChannel(owning: own)
        defer { close(other) }
        let (ownFetches, otherFetches) = try Self.socketPair()
        fetches = MessageChannel(owning: ownFetches)
        defer { close(otherFetches) }
        let (ownExpiry, otherExpiry) = try Self.socketPair()
        expiry = ownExpiry
        defer { close(otherExpiry) }
        do throws(SimulationError) { process = try Self.spawn(program, [other, otherExpiry, otherFetches]) } catch {
            close(ownExpiry)
            throw error
        }
    }

    private static func socketPair() throws(SimulationError) -> (own: Int32, other: Int32) {
        var pair: [Int32] = [-1, -1]
        let result = waxwing_socket_pair(&pair)
        guard result == 0 else { throw .system(operation: "socketpair", code: -result) }
        return (pair[0], pair[1])
    }

    deinit { end() }

    /// Tells it that the system's time is up.
    func expire() {
        var byte: UInt8 = 1
        _ = send(expiry, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Tells it that nobody needs it any more.
    package func hangUp() {
        guard expiry >= 0 else { return }
        close(expiry)
        expiry = -1
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    /// Its status by wait(2), once it has ended; nil while it runs.
    package func status() -> Int32? {
        var status: Int32 = 0
        guard !isReaped, waitpid(process, &status, WNOHANG) == process else { return nil }
        isReaped = true
        return status
    }

    /// Kills it if it runs.
    func end() {
        hangUp()
        guard !isReaped else { return }
        kill()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }

    private static func spawn(_ program: String, _ descriptors: [Int32]) throws(SimulationError) -> pid_t {
        // Out of the way of 3 and those after it first.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for descriptor in descriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { throw .system(operation: "dup", code: errno) }
            copies.append(copy)
        }
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { throw .system(operation: "posix_spawn", code: ENOMEM) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var codes = [
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0),
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0),
        ]
        for (index, copy) in copies.enumerated() {
            codes.append(posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + index)))
        }
        codes.append(posix_spawn_file_actions_addclosefrom_np(&actions, Int32(3 + copies.count)))
        for code in codes where code != 0 { throw .system(operation: "posix_spawn", code: code) }
        guard let name = strdup(program), let environment = strdup("SWIFT_BACKTRACE=enable=no") else {
            throw .system(operation: "strdup", code: ENOMEM)
        }
        defer {
            free(name)
            free(environment)
        }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { throw .system(operation: "posix_spawn", code: ENOMEM) }
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that this process holds back are not held back in that one.
        var none = sigset_t()
        sigemptyset(&none)
        for code in [
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setpgroup(&attributes, 0),
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP)),
        ] where code != 0 { throw .system(operation: "posix_spawn", code: code) }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, [name, nil], [environment, nil])
        guard code == 0 else { throw .noProgram(path: program, code: code) }
        awaitOwnMemory(process)
        return process
    }

    /// What is started comes back in the middle of execve(2), where the kernel's account of its memory is still that of this process.
    private static func awaitOwnMemory(_ process: pid_t) {
        guard let own = SystemFile.link("/proc/self/exe") else { return }
        for _ in 0..<1_000 where SystemFile.link("/proc/\(process)/exe") == own { poll(nil, 0, 1) }
    }
}
