public import AppleTypes

/// When a notification is shown.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {}

/// When the push service says so.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}
