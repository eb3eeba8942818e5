internal import OpenerNSE
public import UserNotifications
internal import Foundation
#if os(Linux)
    internal import AppleTypes
#endif

extension OpenerApp {
    /// Opens what came while the phone was locked, and shows it in the place of the placeholders. Call it when the app becomes
    /// active, and when protected data becomes available.
    ///
    /// The system is asked not to suspend the app meanwhile, since a suspended app that holds a lock of a shared container is
    /// killed; when it will not wait any longer, the rest is left for the next time.
    /// - Throws: ``DeviceSetupError/container(_:)``.
    public func drain(center: UNUserNotificationCenter = .current()) async throws -> DrainReport {
        let result = await withCheckedContinuation { continuation in
            let activity = DrainActivity(continuation)
            let drain = Drain(parts: parts, center: center) { activity.isStopped }
            let queue = container.queue
            #if os(macOS)
                // A Mac suspends nobody.
                DispatchQueue.global().async { activity.run { () throws(ContainerError) in try drain.run(queue) } }
            #else
                let reason = "\(parts.settings.appGroup) drain"
                ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isOver in
                    guard !isOver else { return activity.stop() }
                    activity.run { () throws(ContainerError) in try drain.run(queue) }
                }
            #endif
        }
        do throws(ContainerError) { return try result.get() } catch { throw DeviceSetupError.container(error) }
    }
}
