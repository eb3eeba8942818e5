public import EnvelopeFormat

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
        guard let json = try? JSONValue.parse(bytes) else { return nil }
        self.init(json)
    }

    /// - Returns: nil for what is no such line.
    public init?(_ json: JSONValue) {
        guard let time = json["t"]?.plainInteger, let event = Self.event(json) else { return nil }
        self.init(event: event, time: time)
    }

    /// What the line says.
    public var json: JSONValue { .object([JSONMember("t", .integer(time))] + Self.members(event)) }

    /// With the line feed at its end.
    var bytes: [UInt8] { json.write() + [UInt8(ascii: "\n")] }

    static func lines(of bytes: [UInt8]) -> [TelemetryLine] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { TelemetryLine(Array($0)) }
    }

    private static func members(_ event: TelemetryEvent) -> [JSONMember] {
        switch event {
        case .started: named("started")
        case .decryption(.attempted): named("decryption", "attempted")
        case .decryption(.succeeded): named("decryption", "succeeded")
        case .decryption(.failed(let outcome)): named("decryption", "failed", ("reason", outcome.rawValue))
        case .image(.attempted): named("image", "attempted")
        case .image(.succeeded(nil)): named("image", "succeeded")
        case .image(.succeeded(let reason?)): named("image", "succeeded", ("unscaled", reason.rawValue))
        case .image(.failed(let failure)): named("image", "failed", ("reason", failure.rawValue))
        case .deferred(true): named("deferred")
        case .deferred(false): named("deferred", "again")
        case .refused(let reason): named("refused", nil, ("reason", reason.rawValue))
        case .delivered(let time): named("delivered") + [JSONMember("ms", .integer(milliseconds(time)))]
        case .expired: named("expired")
        }
    }

    private static func named(
        _ event: String, _ result: String? = nil, _ why: (name: String, word: String)? = nil
    ) -> [JSONMember] {
        let members = [("event", event)] + (result.map { [("result", $0)] } ?? []) + (why.map { [$0] } ?? [])
        return members.map { JSONMember($0.0, .string($0.1)) }
    }

    private static func event(_ json: JSONValue) -> TelemetryEvent? {
        switch (json["event"]?.text, json["result"]?.text) {
        case ("started", nil): .started
        case ("expired", nil): .expired
        case ("delivered", nil): json["ms"]?.plainInteger.map { .delivered(after: .milliseconds($0)) }
        case ("decryption", "attempted"): .decryption(.attempted)
        case ("decryption", "succeeded"): .decryption(.succeeded)
        case ("decryption", "failed"): json["reason"]?.text.flatMap(Outcome.init).map { .decryption(.failed($0)) }
        case ("image", "attempted"): .image(.attempted)
        case ("image", "succeeded"): succeeded(json["unscaled"]).map { .image($0) }
        case ("image", "failed"): json["reason"]?.text.flatMap(ImageFailure.init).map { .image(.failed($0)) }
        case ("deferred", nil): .deferred(isNew: true)
        case ("deferred", "again"): .deferred(isNew: false)
        case ("refused", nil): json["reason"]?.text.flatMap(DeferredRefusal.init).map { .refused($0) }
        default: nil
        }
    }

    private static func succeeded(_ unscaled: JSONValue?) -> TelemetryEvent.Image? {
        guard let unscaled else { return .succeeded(unscaled: nil) }
        return unscaled.text.flatMap(UnscaledReason.init).map { .succeeded(unscaled: $0) }
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
