public import OpenerNSE
public import Foundation

/// What an app and its extension have to agree on. Write it once, in a file that belongs to both targets.
public struct OpenerSettings: Sendable {
    /// The App Group of both, `group.…`, where they meet: locks, the queue, notes, templates, telemetry.
    public var appGroup: String
    /// The keychain access group of both, with the team's prefix: `TEAMID.com.example.shared`.
    public var keychainGroup: String
    /// Shown for whatever does not open. It is read when it is needed, so that it is in the language the phone has then.
    public var placeholder: @Sendable () -> ShownText
    /// Whether what was never sealed shows the placeholder, for apps that send nothing but sealed notifications.
    public var isSealedOnly: Bool
    /// Whether the extension has the entitlement `com.apple.developer.usernotifications.filtering`: what was shown before is
    /// not shown again then.
    public var hasFilteringEntitlement: Bool
    /// Whether the three fields of the split profile are opened, for servers that seal in no other way yet.
    public var allowsSplit: Bool
    /// The subsystem of all lines in the system's log.
    public var logSubsystem: String
    /// Makes what renders the app's templates out of the shared directory.
    public var rendering: @Sendable (ContainerDirectory) -> (any TextRendering)?
    /// Makes what fetches images, with the shared directory to put them into.
    public var images: @Sendable (ContainerDirectory) -> (any ImageAttaching)?

    public init(
        appGroup: String, keychainGroup: String,
        placeholder: @escaping @autoclosure @Sendable () -> ShownText = OpenerConfiguration().placeholder,
        isSealedOnly: Bool = false, hasFilteringEntitlement: Bool = false, allowsSplit: Bool = false,
        logSubsystem: String = Bundle.main.bundleIdentifier ?? "waxwing",
        rendering: @escaping @Sendable (ContainerDirectory) -> (any TextRendering)? = {
            Templates($0, languages: Locale.preferredLanguages)
        },
        images: @escaping @Sendable (ContainerDirectory) -> (any ImageAttaching)? = { ImageStage.standard(in: $0) }
    ) {
        self.appGroup = appGroup
        self.keychainGroup = keychainGroup
        self.placeholder = placeholder
        self.isSealedOnly = isSealedOnly
        self.hasFilteringEntitlement = hasFilteringEntitlement
        self.allowsSplit = allowsSplit
        self.logSubsystem = logSubsystem
        self.rendering = rendering
        self.images = images
    }
}
