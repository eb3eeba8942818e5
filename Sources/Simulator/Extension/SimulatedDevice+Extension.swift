import EnvelopeFormat
import ExtensionChannel
import KeyStore
import OpenerNSE

extension SimulatedDevice {
    /// Opens what waits in the shared container, as the app does when it comes to the front: in the order of arrival, each by the
    /// time of its own.
    /// - Parameter show: puts it in the place of its placeholder, before it is confirmed; what it throws leaves it, and those
    ///   behind it, where they are.
    ///   - remembers: whether what opening changes is kept on the phone; the container is another matter.
    /// - Returns: false where another one is at it, or has taken over.
    /// - Throws: ``ContainerError``, or what `show` has thrown.
    public func drain(
        _ app: SimulatedApp, now: Int64, remembers: Bool = true, show: (DrainedMessage) throws -> Void
    ) throws -> Bool {
        let templates = Templates(
            try ContainerDirectory(app.container), languages: app.languages, baseLanguage: app.baseLanguage)
        let keychain = StoreKeychain(store: store, now: now, keepsChanges: remembers, accessGroup: app.accessGroup)
        let opener = opener(keychain, now: now)
        var failure: (any Error)?
        let isAlone = try DeferredQueue(app.container + "/queue").drain(now: now) { entry in
            guard failure == nil else { return false }
            let opening = opener.open(sealed: entry.sealed, arrival: entry.arrival, now: now)
            let text = opening.content.map { ShownText($0, rendering: templates, placeholder: placeholder) }
            let message = DrainedMessage(
                identifier: entry.identifier, arrival: entry.arrival, outcome: opening.outcome, text: text ?? opening.shown,
                unrendered: Self.unrendered(opening.content, templates))
            do { try show(message) } catch { failure = error }
            return failure == nil && !message.isWaiting
        }
        if let failure { throw failure }
        return isAlone
    }

    /// Has the extension of an app on this phone deal with a notification.
    /// - Parameters:
    ///   - identifier: of the request.
    ///   - now: seconds since 1970.
    ///   - remembers: whether what opening changes is kept on the phone; the container is another matter.
    ///   - goesOn: asked all the time, with the seconds that have passed, whether it goes on; else the extension is killed.
    ///   - show: is handed what came of it. A notification counts as shown once this has returned; when it throws, or this process is
    ///     killed before, the message waits in the shared container for the app.
    /// - Returns: false where it did not go on to the end.
    /// - Throws: ``SimulationError``, ``ContainerError``, `.unavailable` for a libcurl that is too old, or what `show` has thrown.
    @discardableResult
    public func receive(
        _ file: APNsFile, identifier: String, app: SimulatedApp, now: Int64, remembers: Bool = true,
        while goesOn: (Int) -> Bool = { _ in true }, show: (ExtensionSimulation.Result) throws -> Void
    ) throws -> Bool {
        var order = ExtensionOrder(
            identifier: identifier, sealed: file.sealed, imageURL: file.imageURL, arrival: now, placeholder: placeholder,
            allowsSplit: isSplitAllowed(now: now), isSealedOnly: app.isSealedOnly, canSuppress: app.canSuppress,
            container: app.container, languages: app.languages, timeScale: app.timeScale)
        order.baseLanguage = app.baseLanguage
        order.plantedByteCount = app.plantedByteCount
        order.images = app.images
        try CurlFetcher.checkLibrary()
        let fetches = FetchService(
            CurlFetcher(authorities: app.authorities), app.images, timeScale: app.timeScale)
        return try ExtensionSimulation(
            store, accessGroup: app.accessGroup, program: app.program, order, fetches, keepsChanges: remembers
        ).run(while: goesOn) { result in
            var result = result
            if result.shown?.base == .claims { result.unrendered = try unrendered(file, app, now: now) }
            try show(result)
        }
    }

    /// What the templates do not give of a message that has opened. The extension keeps it to itself, as on a phone, so that it is
    /// opened here once more, and nothing of that is kept.
    private func unrendered(_ file: APNsFile, _ app: SimulatedApp, now: Int64) throws -> [UnrenderedText] {
        let templates = Templates(try ContainerDirectory(app.container), languages: app.languages, baseLanguage: app.baseLanguage)
        let keychain = StoreKeychain(store: store, now: now, keepsChanges: false, accessGroup: app.accessGroup)
        return Self.unrendered(opener(keychain, now: now).open(sealed: file.sealed, now: now).content, templates)
    }

    private static func unrendered(_ content: Content?, _ templates: Templates) -> [UnrenderedText] {
        [content?.localizedTitle, content?.localizedBody].compactMap { $0.flatMap(templates.unrendered) }
    }
}
