public import AppleTypes

/// What the system makes one of to have a notification changed before it is shown. Here it is a test that calls it.
open class UNNotificationServiceExtension: NSObject {
    public override init() {}

    /// The handler is to be called once, within 30 seconds.
    open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) { contentHandler(request.content) }

    /// The last moment in which the handler may be called.
    open func serviceExtensionTimeWillExpire() {}
}
