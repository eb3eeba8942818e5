internal import Glibc

/// Class keys in the memory of an agent, a process of ours behind a socket in the access group's directory.
struct AgentHolder: SessionHolder {
    let place: SessionPlace

    var name: String { "agent" }

    func put(_ key: GuardedBytes, named name: String, timeout: Int?) throws(SessionError) {
        try SessionPlace.check(key, name: name, timeout: timeout)
        let directory = try SessionDirectory(place)
        let request = AgentMessage.Request.put(place.keyDescription(name), timeout: UInt32(timeout ?? 0), key)
        // Another unlock may be starting its agent, or an agent may be about to go: some tries, some 5 seconds.
        for _ in 0..<500 {
            if let reply = try ask(request, directory) { return try check(reply.status) }
            if try !AgentLauncher.start(place, directory) { usleep(10_000) }
        }
        throw .timedOut
    }

    func fetch(_ name: String) throws(SessionError) -> GuardedBytes? {
        try SessionPlace.check(name: name)
        let request = AgentMessage.Request.fetch(place.keyDescription(name))
        guard let reply = try ask(request, SessionDirectory(place)), reply.status != .absent else { return nil }
        try check(reply.status)
        guard let key = reply.key else { throw .malformedReply }
        return key
    }

    func evict(_ names: [String]) throws(SessionError) {
        for name in names { try SessionPlace.check(name: name) }
        let directory = try SessionDirectory(place)
        var failure: SessionError?
        for name in names {
            do throws(SessionError) {
                if let reply = try ask(.evict([place.keyDescription(name)]), directory) { try check(reply.status) }
            } catch {
                failure = failure ?? error
                // An agent that is stopped is waited for once.
                if error == .timedOut { break }
            }
        }
        if let failure { throw failure }
    }

    /// The agent's answer; nil when no agent is running.
    private func ask(
        _ request: AgentMessage.Request, _ directory: SessionDirectory
    ) throws(SessionError) -> (status: AgentMessage.Status, key: GuardedBytes?)? {
        // An agent that goes closes connections it has not answered: ask whether there is another.
        for _ in 0..<4 {
            guard let socket = try AgentSocket.connect(directory, place) else { return nil }
            do {
                guard try socket.send(AgentMessage(request)), let message = try socket.receive() else { continue }
                guard let reply = try message.reply() else { throw SessionError.malformedReply }
                return reply
            } catch let error as SessionError {
                throw error
            } catch let error as SodiumError {
                throw .memory(error)
            } catch { throw .malformedReply }
        }
        throw .system(operation: "ask the agent", code: ECONNRESET)
    }

    private func check(_ status: AgentMessage.Status) throws(SessionError) {
        switch status {
        case .done: return
        case .absent, .malformed: throw .malformedReply
        case .notAdmitted: throw .notAdmitted
        case .full: throw .full
        }
    }
}
