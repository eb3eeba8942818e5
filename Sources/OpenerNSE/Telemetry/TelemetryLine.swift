import EnvelopeFormat

/// An event and when it was, as a line of JSON: `{"t":1700000000,"event":"decryption","result":"failed","reason":"key-locked"}`.
public struct TelemetryLine: Sendable, Equatable {
    public let event: TelemetryEvent
    /// Seconds since 1970.
    public let time: Int64

    public init(event: TelemetryEvent, time: Int64) {
        self.event = event
        self.time = time
    }

    /// - Returns: nil for what is no such line.
    public init?(_ bytes: [UInt8]) {
        guard let json = try? JSONValue.parse(bytes), let time = json["t"]?.plainInteger, let event = Self.event(json) else {
            return nil
        }
        self.init(event: event, time: time)
    }

    /// With the line feed at its end.
    var bytes: [UInt8] {
        JSONValue.object([JSONMember("t", .integer(time))] + Self.members(event)).write() + [UInt8(ascii: "\n")]
    }

    static func lines(of bytes: [UInt8]) -> [TelemetryLine] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { TelemetryLine(Array($0)) }
    }

    private static func members(_ event: TelemetryEvent) -> [JSONMember] {
        switch event {
        case .started: [JSONMember("event", .string("started"))]
        case .decryption(let stage): members("decryption", stage) { $0.rawValue }
        case .image(let stage): members("image", stage) { $0.rawValue }
        case .delivered(let time): [JSONMember("event", .string("delivered")), JSONMember("ms", .integer(milliseconds(time)))]
        case .expired: [JSONMember("event", .string("expired"))]
        }
    }

    private static func members<Failure>(
        _ name: String, _ stage: TelemetryEvent.Stage<Failure>, _ reason: (Failure) -> String
    ) -> [JSONMember] {
        let event = JSONMember("event", .string(name))
        switch stage {
        case .attempted: return [event, JSONMember("result", .string("attempted"))]
        case .succeeded: return [event, JSONMember("result", .string("succeeded"))]
        case .failed(let failure):
            return [event, JSONMember("result", .string("failed")), JSONMember("reason", .string(reason(failure)))]
        }
    }

    private static func event(_ json: JSONValue) -> TelemetryEvent? {
        switch json["event"]?.text {
        case "started": .started
        case "expired": .expired
        case "delivered": json["ms"]?.plainInteger.map { .delivered(after: .milliseconds($0)) }
        case "decryption": stage(json) { Outcome(rawValue: $0) }.map { .decryption($0) }
        case "image": stage(json) { ImageFailure(rawValue: $0) }.map { .image($0) }
        default: nil
        }
    }

    private static func stage<Failure>(
        _ json: JSONValue, _ failure: (String) -> Failure?
    ) -> TelemetryEvent.Stage<Failure>? {
        switch json["result"]?.text {
        case "attempted": .attempted
        case "succeeded": .succeeded
        case "failed": json["reason"]?.text.flatMap(failure).map { .failed($0) }
        default: nil
        }
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
