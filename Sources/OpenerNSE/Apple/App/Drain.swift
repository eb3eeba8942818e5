internal import Dispatch
internal import EnvelopeFormat
internal import OpenerNSE
internal import UserNotifications

/// Opens what waited, one after the other, and rewrites what was delivered in its place. It blocks the thread it is on.
///
/// The notification centre may be called on every thread.
struct Drain: @unchecked Sendable {
    /// How long the system may take from the handler to the delivered notification, in seconds.
    private static let deliveryTime: Int64 = 60
    /// How often it is asked whether the system still waits, while an entry is opened.
    private static let patience = DispatchTimeInterval.milliseconds(200)
    let parts: DeviceParts
    let center: UNUserNotificationCenter
    let isStopped: @Sendable () -> Bool

    func run(_ queue: DeferredQueue) throws(ContainerError) -> DrainReport {
        let delivered = delivered()
        let now = SystemClock.now()
        var report = DrainReport()
        let isOurs = try queue.drain(now: now) { entry in
            let isDone = !isStopped() && open(entry, among: delivered, now: now, &report)
            if !isDone { report.waiting += 1 }
            return isDone
        }
        // Another one is at it.
        if !isOurs { report.waiting += try queue.count() }
        report.isStopped = isStopped()
        return report
    }

    /// - Returns: whether it waits no more.
    private func open(
        _ entry: DeferredEntry, among delivered: [String: UNNotificationContent], now: Int64, _ report: inout DrainReport
    ) -> Bool {
        let received = delivered[entry.identifier]
        guard received != nil || entry.arrival + Self.deliveryTime < now else { return false }
        let shown = Awaited<ShownNotification>()
        let incoming = IncomingNotification(identifier: entry.identifier, sealed: entry.sealed, arrival: entry.arrival)
        let run = parts.pipeline(isDraining: true).receive(incoming) { shown.arrive($0) }
        var arrived = shown.wait(Self.patience)
        while arrived == nil {
            // The system's patience may end while an image is fetched: the text goes without it then.
            if isStopped() { run.expire() }
            arrived = shown.wait(Self.patience)
        }
        guard let shown = arrived else { return false }
        switch shown.outcome {
        case .keyLocked, .storeUnavailable, .timeExpired: return false
        case .opened, .duplicate: break
        default:
            report.unopened += 1
            return true
        }
        guard let received else {
            report.dismissed += 1
            return true
        }
        guard show(NotificationContent.make(shown, received: received), as: entry.identifier) else { return false }
        report.rewritten += 1
        return true
    }

    /// Without a sound: there was one when it came.
    private func show(_ content: UNNotificationContent, as identifier: String) -> Bool {
        if let content = content as? UNMutableNotificationContent {
            content.sound = nil
            content.interruptionLevel = .passive
        }
        let isShown = Awaited<Bool>()
        center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil)) { isShown.arrive($0 == nil) }
        return isShown.wait() ?? false
    }

    private func delivered() -> [String: UNNotificationContent] {
        let found = Awaited<DeliveredContents>()
        center.getDeliveredNotifications { notifications in
            found.arrive(
                DeliveredContents(
                    contents: Dictionary(
                        notifications.map { ($0.request.identifier, $0.request.content) }, uniquingKeysWith: { $1 })))
        }
        return found.wait()?.contents ?? [:]
    }
}

/// Contents on their way from one thread to another; none keeps them.
private struct DeliveredContents: @unchecked Sendable {
    let contents: [String: UNNotificationContent]
}
