public import OpenerNSE
import EnvelopeFormat

extension ChannelMessage {
    /// An event, told as it happens; nothing is answered.
    public init(event line: TelemetryLine) { self.init("event", [JSONMember("line", line.json)]) }

    /// Nil for any other message.
    public var event: TelemetryLine? { name == "event" ? json["line"].flatMap { TelemetryLine($0) } : nil }
}
