internal import OpenerNSE
internal import UserNotifications

/// The pipeline of one instance of an extension, and the requests it has under way.
struct ExtensionState: Sendable {
    private var pipeline: NotificationPipeline<SecItemKeychain>?
    private var runs: [NotificationRun<SecItemKeychain>] = []

    mutating func receive(
        _ incoming: IncomingNotification, _ settings: OpenerSettings, handler: @escaping @Sendable (ShownNotification) -> Void
    ) {
        let pipeline = pipeline ?? DeviceParts(settings).pipeline()
        self.pipeline = pipeline
        runs.removeAll(where: \.isDelivered)
        runs.append(pipeline.receive(incoming, handler: handler))
    }

    /// All that is under way, which is forgotten.
    mutating func takeRuns() -> [NotificationRun<SecItemKeychain>] {
        defer { runs = [] }
        return runs
    }
}
