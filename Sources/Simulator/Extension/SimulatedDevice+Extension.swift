import EnvelopeFormat
import ExtensionChannel
import KeyStore
public import OpenerNSE

extension SimulatedDevice {
    /// Opens what waited in the shared container, as the app does, by the time of its arrival.
    public func open(_ entry: DeferredEntry, now: Int64) -> Opening {
        let opener = opener(StoreKeychain(store: store, now: now, keepsChanges: true), now: now)
        return opener.open(sealed: entry.sealed, arrival: entry.arrival, now: now)
    }

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
        order.baseLanguage = app.baseLanguage
        order.plantedByteCount = app.plantedByteCount
        order.images = app.images
        let fetches = FetchService(
            CurlFetcher(authorities: app.authorities), app.images, timeScale: app.timeScale)
        return try ExtensionSimulation(store, program: app.program, order, fetches).run()
    }
}
