import BackendJSON
import EnvelopeFormat
import Glibc
import Synchronization

/// Structured lines on standard error: one object of JSON each. No content, no keys, no names of conversations or devices.
final class EventLog: Sendable {
    enum Level: String, Sendable { case info, warning, error }

    private let descriptor: Int32
    private let lock = Mutex(())

    /// Whether requests that went well are logged too.
    private let isTellingAll: Bool

    init(isTellingAll: Bool, descriptor: Int32 = STDERR_FILENO) {
        self.isTellingAll = isTellingAll
        self.descriptor = descriptor
    }

    func write(_ level: Level, _ event: String, _ members: KeyValuePairs<String, JSONValue?> = [:]) {
        var line = [
            JSONMember("time", .string(Self.time())), JSONMember("level", .string(level.rawValue)), JSONMember("event", .string(event)),
        ]
        line += JSONValue.members(members).members ?? []
        let bytes = JSONValue.object(line).write() + [0x0A]
        // One call each, so that lines of other processes do not come in between; a log that cannot be written stops nothing.
        lock.withLock { _ in _ = Glibc.write(descriptor, bytes, bytes.count) }
    }

    /// A request that was answered, or was not. By its route and not its path, which has names in it.
    func request(route: String, method: String, caller: String?, _ answer: HTTPAnswer?, seconds: Double, byteCount: Int) {
        let status = answer?.status ?? 0
        guard isTellingAll || status == 0 || status >= 400 else { return }
        write(
            status == 0 || status >= 500 ? .warning : .info, "request",
            [
                "method": .string(method), "route": .string(route), "status": answer == nil ? .null : .integer(status),
                "problem": answer?.problem.map { .string($0) }, "caller": caller.map { .string($0) } ?? .null,
                "microseconds": .integer(Int64(seconds * 1e6)), "bytes_in": .integer(byteCount),
                "bytes_out": .integer(answer?.body.count ?? 0),
            ])
    }

    /// RFC 3339, to the millisecond.
    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = "\(1_000 + now.tv_nsec / 1_000_000)".dropFirst()
        return Timestamp.text(Int64(now.tv_sec)).dropLast() + ".\(milliseconds)Z"
    }
}
