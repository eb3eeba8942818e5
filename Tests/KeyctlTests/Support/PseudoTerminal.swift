import Foundation

/// A program with a terminal of its own, and the far end of that terminal.
final class PseudoTerminal {
    private let master: Int32
    private let process: pid_t

    /// Starts a line of shell in a session of its own, with a new terminal as its controlling one.
    init(_ line: String, in place: Workplace) throws {
        var ends: (near: Int32, far: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 64)
        guard openpty(&ends.near, &ends.far, &name, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
        master = ends.near
        // Held open until the program has opened it by its name.
        defer { close(ends.far) }
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends.far, F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session's leader opens becomes its controlling one.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The tests may run where an interrupt is ignored or blocked, which is inherited.
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &interrupt)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | 0x80  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let script = "cd '\(place.folder.path)' && PATH='\(place.programs.path)':/usr/bin:/bin && \(line)"
        var arguments: [UnsafeMutablePointer<CChar>?] = []
        for word in ["/bin/sh", "-c", script] { arguments.append(strdup(word)) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var started: pid_t = 0
        guard posix_spawn(&started, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else {
            throw POSIXError(.ECHILD)
        }
        process = started
    }

    deinit { close(master) }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// What is shown until this text has come, or the program has ended, or ten seconds have gone.
    func shown(until text: String) -> String {
        var shown = ""
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while !shown.contains(text), poll(&waiting, 1, 10_000) > 0 {
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let got = read(master, &buffer, buffer.count)
            guard got > 0 else { break }
            shown += String(decoding: buffer[..<got], as: UTF8.self)
        }
        return shown
    }

    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

    /// The exit status, negative for a death by that signal.
    func end() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
