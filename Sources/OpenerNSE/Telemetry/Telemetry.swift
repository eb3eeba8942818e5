/// Where events go. Best effort: what cannot be written is lost, and delays nothing.
public protocol Telemetry: Sendable {
    /// - Parameter time: seconds since 1970.
    func record(_ event: TelemetryEvent, at time: Int64)
}
