/// How an app has its extension deliver.
public struct PipelineConfiguration: Sendable {
    /// When the best attempt is delivered at the latest, after the request came: before the system's own 30 seconds are over.
    public static let standardDeadline = Duration.seconds(25)

    /// Whether what was never sealed shows the placeholder, for apps that send nothing but sealed notifications.
    public var isSealedOnly: Bool
    /// Whether the app may hold notifications back (an entitlement of its own on iOS).
    public var canSuppress: Bool
    public var deadline: Duration

    public init(
        isSealedOnly: Bool = false, canSuppress: Bool = false, deadline: Duration = PipelineConfiguration.standardDeadline
    ) {
        self.isSealedOnly = isSealedOnly
        self.canSuppress = canSuppress
        self.deadline = deadline
    }
}
