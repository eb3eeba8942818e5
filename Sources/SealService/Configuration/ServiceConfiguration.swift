public import EnvelopeFormat
import Sealer

/// How a service is set up: one file, one object of JSON (docs/backend.md has the table).
public struct ServiceConfiguration: Sendable {
    /// Directory of the store.
    let store: String
    let accessGroup: String?
    /// What unlocks the store when the service begins; nil where somebody else does.
    let keyFile: String?
    let listeners: [ListenerConfiguration]
    /// File of tokens.
    let tokens: String?
    /// Whether each request is logged, and not just those that failed.
    let logsAll: Bool
    var limits = HTTPLimits()
    /// Threads that make answers that take long.
    var workers = 4
    /// Requests that wait for one of them.
    var queue = 1_024
    /// Of one caller.
    var requestsOfCaller = 256
    /// Until requests that are running have to be answered when the service is stopped.
    var drainSeconds = 30.0

    /// Reads it from a file that nobody else can change.
    /// - Throws: ``ServiceError`` naming the file and what is wrong with it.
    public init(file path: String) throws(ServiceError) {
        self = try ConfigurationFile.parse(path) { (bytes) throws(FormatError) in try ServiceConfiguration(parsing: bytes) }
    }

    /// - Throws: ``FormatError`` naming the member at fault.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let reader = try RequestReader(
            try JSONValue.parse(bytes), "configuration", ["store", "access_group", "key_file", "listen", "tokens", "limits", "log"])
        guard let store = try reader.text("store"), !store.isEmpty else { throw reader.wrong("store", "missing") }
        self.store = store
        accessGroup = try reader.text("access_group")
        keyFile = try reader.text("key_file")
        tokens = try reader.text("tokens")
        logsAll = try reader.word("log", LogChoice.self) == .requests
        guard case .array(let values)? = reader.value("listen"), !values.isEmpty else {
            throw reader.wrong("listen", "not an array with one place to listen at, at least")
        }
        listeners = try values.map { (value) throws(FormatError) in try ListenerConfiguration(value) }
        if let limits = reader.value("limits") { try read(limits) }
        for listener in listeners { try listener.check(hasTokens: tokens != nil) }
    }

    private mutating func read(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(
            json, "limits",
            [
                "head_bytes", "body_bytes", "connections", "idle_seconds", "body_seconds", "threads", "workers", "queue",
                "requests_of_caller", "drain_seconds",
            ])
        func number(_ name: String, _ range: ClosedRange<Int64>) throws(FormatError) -> Int? {
            guard let value = try reader.integer(name) else { return nil }
            guard range.contains(value) else { throw reader.wrong(name, "not from \(range.lowerBound) to \(range.upperBound)") }
            return Int(value)
        }
        if let value = try number("head_bytes", 4_096...65_536) { limits.headBytes = value }
        if let value = try number("body_bytes", 4_096...16_777_216) { limits.bodyBytes = value }
        if let value = try number("connections", 16...65_536) { limits.connections = value }
        if let value = try number("idle_seconds", 1...3_600) { limits.idleSeconds = Double(value) }
        if let value = try number("body_seconds", 1...3_600) { limits.bodySeconds = Double(value) }
        if let value = try number("threads", 1...64) { limits.threads = value }
        if let value = try number("workers", 1...64) { workers = value }
        if let value = try number("queue", 1...65_536) { queue = value }
        if let value = try number("requests_of_caller", 1...65_536) { requestsOfCaller = value }
        if let value = try number("drain_seconds", 0...3_600) { drainSeconds = Double(value) }
    }

    private enum LogChoice: String, CaseIterable { case problems, requests }
}
