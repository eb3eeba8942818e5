internal import CLinux
internal import Glibc

/// The agent at work: one thread, one message from each client, nobody waited for.
final class AgentService {
    private struct Client {
        let socket: AgentSocket
        let isAdmitted: Bool
        let deadline: Int64
    }

    private struct Entry {
        let key: GuardedBytes
        let deadline: Int64?
    }

    private static let maximumClientCount = 32
    private static let maximumKeyCount = 64
    private static let clientMilliseconds: Int64 = 2_000
    private static let firstKeyMilliseconds: Int64 = 10_000
    private static let lookMilliseconds: Int64 = 5_000

    private let group: UInt32?
    private let listener = AgentSocket(owning: AgentLauncher.listenerDescriptor)
    private let socketIdentity: stat
    private let watch: Int32
    private let started: Int64
    private var clients: [Client] = []
    private var entries: [String: Entry] = [:]
    private var hadKeys = false

    init(group: UInt32?) throws(SessionError) {
        self.group = group
        started = try Self.now()
        guard let identity = Self.socketFile() else { throw .last("stat") }
        socketIdentity = identity
        // Tells at once that the socket's file was deleted; without it (too many watches) a look every 5 s does.
        watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if watch >= 0 {
            let path = "/proc/self/fd/\(AgentLauncher.directoryDescriptor)/\(AgentSocket.fileName)"
            _ = inotify_add_watch(watch, path, UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF))
        }
        let flags = fcntl(listener.descriptor, F_GETFL)
        guard flags >= 0, fcntl(listener.descriptor, F_SETFL, flags | O_NONBLOCK) >= 0 else { throw .last("fcntl") }
    }

    deinit {
        if watch >= 0 { close(watch) }
    }

    /// Until there is nothing left to keep.
    func serve() throws(SessionError) {
        while true {
            let now = try Self.now()
            entries = entries.filter { $0.value.deadline.map { $0 > now } ?? true }
            clients.removeAll { $0.deadline <= now }
            guard isOurSocketThere() else { return }
            if entries.isEmpty, hadKeys || now >= started + Self.firstKeyMilliseconds { break }
            let ready = try wait(until: nextDeadline(now), now)
            for client in clients where ready.contains(client.socket.descriptor) { try answer(client) }
            clients.removeAll { ready.contains($0.socket.descriptor) }
            if ready.contains(listener.descriptor) { try admit() }
            if ready.contains(watch) { drainWatch() }
        }
        unlinkat(AgentLauncher.directoryDescriptor, AgentSocket.fileName, 0)
    }

    private func admit() throws(SessionError) {
        while true {
            let descriptor = accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else { return }  // none left, or one that went already
            let socket = AgentSocket(owning: descriptor)
            // Who says nothing makes room for who does: an honest client has sent its message by now.
            if clients.count >= Self.maximumClientCount { clients.removeFirst() }
            let isAdmitted = (try? socket.isPeerAdmitted(group: group)) == true
            let deadline = try Self.now() + Self.clientMilliseconds
            clients.append(Client(socket: socket, isAdmitted: isAdmitted, deadline: deadline))
        }
    }

    /// Answers the one message of a client. One who is not admitted is told so once he has asked: to hang up on a message
    /// that was not read would look like an agent that is going.
    private func answer(_ client: Client) throws(SessionError) {
        do {
            guard let message = try client.socket.receive(flags: dontWait) else { return }
            let answer: AgentMessage
            if !client.isAdmitted {
                answer = try AgentMessage(.notAdmitted)
            } else if let request = try message.request() {
                answer = try reply(to: request)
            } else {
                answer = try AgentMessage(.malformed)
            }
            _ = client.socket.send(answer, flags: dontWait)  // who does not take it has gone
        } catch SessionError.timedOut {
            return
        } catch {
            throw error as? SessionError ?? .malformedReply
        }
    }

    private func reply(to request: AgentMessage.Request) throws -> AgentMessage {
        switch request {
        case .put(let name, let timeout, let key):
            guard entries[name] != nil || entries.count < Self.maximumKeyCount else { return try AgentMessage(.full) }
            let deadline = timeout == 0 ? nil : try Self.now() + Int64(timeout) * 1000
            entries[name] = Entry(key: key, deadline: deadline)
            hadKeys = true
            return try AgentMessage(.done)
        case .fetch(let name):
            let now = try Self.now()
            guard let entry = entries[name], entry.deadline.map({ $0 > now }) ?? true else {
                return try AgentMessage(.absent)
            }
            return try AgentMessage(.done, entry.key)
        case .evict(let names):
            for name in names { entries[name] = nil }
            return try AgentMessage(.done)
        }
    }

    /// The descriptors that have something to read, or were closed.
    private func wait(until deadline: Int64, _ now: Int64) throws(SessionError) -> Set<Int32> {
        let descriptors = [listener.descriptor, watch] + clients.map(\.socket.descriptor)
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = poll(&polled, nfds_t(polled.count), Int32(clamping: max(0, deadline - now)))
        guard count >= 0 || errno == EINTR else { throw .last("poll") }
        return Set(polled.filter { $0.revents != 0 && $0.fd >= 0 }.map(\.fd))
    }

    private func nextDeadline(_ now: Int64) -> Int64 {
        let own = hadKeys ? now + Self.lookMilliseconds : started + Self.firstKeyMilliseconds
        let others = clients.map(\.deadline) + entries.values.compactMap(\.deadline)
        return others.reduce(min(own, now + Self.lookMilliseconds), min)
    }

    private func isOurSocketThere() -> Bool {
        guard let status = Self.socketFile() else { return false }
        return status.st_ino == socketIdentity.st_ino && status.st_dev == socketIdentity.st_dev
    }

    private func drainWatch() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(watch, &events, events.count) > 0 {}
    }

    private var dontWait: Int32 { Int32(MSG_DONTWAIT) }

    private static func socketFile() -> stat? {
        var status = stat()
        let result = fstatat(AgentLauncher.directoryDescriptor, AgentSocket.fileName, &status, AT_SYMLINK_NOFOLLOW)
        return result == 0 ? status : nil
    }

    /// Milliseconds since the machine started, asleep or not: a locked lid does not stop the clock of a timeout.
    private static func now() throws(SessionError) -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { throw .last("clock_gettime") }
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
