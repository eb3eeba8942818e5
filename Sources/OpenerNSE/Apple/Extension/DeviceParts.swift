internal import OpenerNSE
internal import os

/// What an extension and an app put together of the same settings.
struct DeviceParts: Sendable {
    /// For one of those that waited: the texts of the others wait for its image.
    private static let drainDeadline = Duration.seconds(5)
    let settings: OpenerSettings
    /// nil where there is none; then nothing is changed, queued or told, and what opens is shown all the same.
    let container: GroupContainer?
    let keychain: SecItemKeychain
    let replays: GroupReplayRecord

    init(_ settings: OpenerSettings, _ container: GroupContainer?) {
        self.settings = settings
        self.container = container
        keychain = SecItemKeychain(
            group: settings.keychainGroup, directory: container?.directory, log: Logger(settings, category: "keychain"))
        replays = GroupReplayRecord(container?.directory, log: Logger(settings, category: "replays"))
    }

    /// As an extension has it: what is missing is logged, and no reason to show nothing.
    init(_ settings: OpenerSettings) {
        var container: GroupContainer?
        do throws(DeviceSetupError) { container = try GroupContainer(settings.appGroup) } catch {
            Logger(settings, category: "container").error("\(error.description, privacy: .public)")
        }
        self.init(settings, container)
    }

    /// - Parameter isDraining: whether what waited is opened: it is neither queued again nor counted as another delivery, and
    ///   never held back.
    func pipeline(isDraining: Bool = false) -> NotificationPipeline<SecItemKeychain> {
        let directory = container?.directory
        return NotificationPipeline(
            opener: Opener(
                keychain: keychain, replays: replays,
                configuration: OpenerConfiguration(allowsSplit: settings.allowsSplit, placeholder: settings.placeholder())),
            rendering: directory.flatMap(settings.rendering), images: directory.flatMap(settings.images),
            deferred: isDraining ? nil : container?.queue, notes: directory.map { BundleNotes($0) },
            telemetry: isDraining ? nil : directory.map { TelemetryRing($0) }, scheduler: SystemScheduler(),
            configuration: PipelineConfiguration(
                isSealedOnly: isDraining || settings.isSealedOnly, canSuppress: !isDraining && settings.hasFilteringEntitlement,
                deadline: isDraining ? Self.drainDeadline : PipelineConfiguration.standardDeadline))
    }
}

extension Logger {
    init(_ settings: OpenerSettings, category: String) { self.init(subsystem: settings.logSubsystem, category: category) }
}
