internal import UserNotifications

/// What the system handed over with a request. It is used by one thread at a time: whoever delivers, once.
struct HandedOver: @unchecked Sendable {
    let content: UNNotificationContent
    let handler: (UNNotificationContent) -> Void
}
