/// From an arriving notification to what is shown, stage by stage: open, rewrite, render, attach, deliver.
///
/// Any number of notifications may be under way at once; each has its own ``NotificationRun``.
public final class NotificationPipeline<Keychain: DeviceKeychain>: Sendable {
    private let parts: PipelineParts<Keychain>

    /// - Parameters:
    ///   - rendering: the app's templates; without, texts that need one show what else the seal says, else the placeholder.
    ///   - images: without, notifications go without images.
    ///   - deferred: where waits what cannot be opened now.
    ///   - notes: where the app is told that it should fetch bundles.
    public init(
        opener: Opener<Keychain>, rendering: (any TextRendering)? = nil, images: (any ImageAttaching)? = nil,
        deferred: DeferredQueue? = nil, notes: BundleNotes? = nil, telemetry: (any Telemetry)? = nil, scheduler: any StageScheduler,
        configuration: PipelineConfiguration = PipelineConfiguration()
    ) {
        parts = PipelineParts(
            opener: opener, rendering: rendering, images: images, deferred: deferred, notes: notes, telemetry: telemetry,
            scheduler: scheduler, configuration: configuration)
    }

    /// Takes a notification on.
    /// - Parameter handler: called exactly once, on whatever thread, on every way this can go.
    /// - Returns: its run, which is told when the system's time is up.
    @discardableResult
    public func receive(
        _ incoming: IncomingNotification, handler: @escaping @Sendable (ShownNotification) -> Void
    ) -> NotificationRun<Keychain> {
        let run = NotificationRun(incoming, parts, handler: handler)
        run.begin()
        return run
    }
}
