import ExtensionChannel
import OpenerNSE

/// Events into the shared container, as an extension writes them, and to the simulator besides: what it shows are those of this
/// process alone, also where the container cannot be written.
struct ToldTelemetry: Telemetry {
    /// Nil where there is no container.
    let ring: TelemetryRing?
    let phone: ChannelKeychain

    func record(_ event: TelemetryEvent, at time: Int64) {
        ring?.record(event, at: time)
        let message = ChannelMessage(event: TelemetryLine(event: event, time: time))
        try? phone.asking { channel throws(ChannelError) in try channel.send(message) }
    }
}
