import EnvelopeFormat
import ExtensionChannel
import KeyStore
import OpenerNSE

extension SimulatedDevice {
    /// Has the extension of an app on this phone deal with a notification.
    /// - Parameters:
    ///   - identifier: of the request.
    ///   - now: seconds since 1970.
    public func receive(
        _ file: APNsFile, identifier: String, app: SimulatedApp, now: Int64
    ) throws -> ExtensionSimulation.Result {
        var order = ExtensionOrder(
            identifier: identifier, sealed: file.sealed, imageURL: file.imageURL, arrival: now, placeholder: placeholder,
            allowsSplit: isSplitAllowed(now: now), isSealedOnly: app.isSealedOnly, canSuppress: app.canSuppress,
            container: app.container, languages: app.languages, timeScale: app.timeScale)
        order.plantedByteCount = app.plantedByteCount
        return try ExtensionSimulation(store, program: app.program, order).run()
    }
}
