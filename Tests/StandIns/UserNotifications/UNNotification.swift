public import AppleTypes

/// A notification that was delivered.
open class UNNotification: NSObject, @unchecked Sendable {
    open private(set) var date: Date
    open private(set) var request: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }

    /// One that was delivered now, for tests to hand over.
    public convenience init(emulating request: UNNotificationRequest) { self.init(date: Date(), request: request) }
}
