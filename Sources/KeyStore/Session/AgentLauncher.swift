internal import CLinux
internal import Glibc

/// Starts the one agent of a directory.
///
/// Who holds the lock of `agent.lock` may take the socket's name; the agent inherits the lock and holds it as long as it
/// lives, so a socket without one is stale. The socket listens before it has its name, so whoever finds it can connect.
enum AgentLauncher {
    static let lockFileName = "agent.lock"

    /// The descriptors an agent is started with.
    static let listenerDescriptor: Int32 = 3
    static let lockDescriptor: Int32 = 4
    static let directoryDescriptor: Int32 = 5

    /// Starts an agent; false when there is one already, or another process is starting it.
    /// - Throws: ``SessionError/noAgentProgram``, ``SessionError/system(operation:code:)``.
    static func start(_ place: SessionPlace, _ directory: SessionDirectory) throws(SessionError) -> Bool {
        let lock = try SessionFile.open(lockFileName, in: directory, group: place.group)
        guard try lock.tryLock() else { return false }
        guard let program = AgentProgram.current else { throw .noAgentProgram }
        let listener = try listen(place, directory)
        do {
            try spawn(program, place, [listener.descriptor, lock.descriptor, directory.descriptor])
        } catch {
            unlinkat(directory.descriptor, AgentSocket.fileName, 0)
            throw error
        }
        return true
    }

    private static func listen(
        _ place: SessionPlace, _ directory: SessionDirectory
    ) throws(SessionError) -> AgentSocket {
        let listener = try AgentSocket.make(timeout: 0)
        let temporary = try SessionFile.temporaryName(AgentSocket.fileName)
        // The mode of the descriptor is the mode of the name that bind makes (less the umask).
        guard fchmod(listener.descriptor, 0o600) == 0 else { throw .last("chmod") }
        let path = directory.pathByDescriptor(temporary)
        guard try listener.withAddress(path, { bind(listener.descriptor, $0, $1) }) == 0 else {
            throw .last("bind in \(directory.path)")
        }
        do throws(SessionError) {
            if let group = place.group {
                guard fchownat(directory.descriptor, temporary, uid_t.max, group, AT_SYMLINK_NOFOLLOW) == 0 else {
                    throw .last("chown")
                }
            }
            guard fchmodat(directory.descriptor, temporary, place.group == nil ? 0o600 : 0o660, 0) == 0 else {
                throw .last("chmod")
            }
            guard Glibc.listen(listener.descriptor, 64) == 0 else { throw .last("listen") }
            guard renameat(directory.descriptor, temporary, directory.descriptor, AgentSocket.fileName) == 0 else {
                throw .last("rename in \(directory.path)")
            }
        } catch {
            unlinkat(directory.descriptor, temporary, 0)
            throw error
        }
        return listener
    }

    private static func spawn(
        _ program: AgentProgram, _ place: SessionPlace, _ descriptors: [Int32]
    ) throws(SessionError) {
        // Out of the way of 3, 4 and 5 first: they may be among them in another order.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for descriptor in descriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { throw .last("dup") }
            copies.append(copy)
        }
        var actions = posix_spawn_file_actions_t()
        try check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in Int32(0)...2 {
            try check(posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0))
        }
        for (copy, target) in zip(copies, [listenerDescriptor, lockDescriptor, directoryDescriptor]) {
            try check(posix_spawn_file_actions_adddup2(&actions, copy, target))
        }
        try check(posix_spawn_file_actions_addclosefrom_np(&actions, directoryDescriptor + 1))
        let arguments = [program.path] + program.arguments + (place.group.map { [String($0)] } ?? [])
        try withCStrings(arguments) { (argv) throws(SessionError) in
            // No environment but this: nothing of ours is in it, and the runtime is to print no memory if it crashes.
            try withCStrings(["SWIFT_BACKTRACE=enable=no"]) { (environment) throws(SessionError) in
                var process: pid_t = 0
                try check(posix_spawn(&process, program.path, &actions, nil, argv, environment))
            }
        }
    }

    private static func check(_ code: Int32) throws(SessionError) {
        guard code == 0 else { throw .system(operation: "start the session agent", code: code) }
    }

    private static func withCStrings(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(SessionError) -> Void
    ) throws(SessionError) {
        var pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        guard !pointers.contains(nil) else { throw .system(operation: "strdup", code: ENOMEM) }
        pointers.append(nil)
        try body(pointers)
    }
}
