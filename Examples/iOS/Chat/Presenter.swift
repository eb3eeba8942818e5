import UserNotifications

/// Lets notifications be shown while the app is in front. Without it, what was rewritten then would be dropped by the system.
/// What comes as a push has a banner; what is rewritten in its place had one when it came.
nonisolated final class Presenter: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let isPush = notification.request.trigger is UNPushNotificationTrigger
        completionHandler(isPush ? [.banner, .list] : [.list])
    }
}
