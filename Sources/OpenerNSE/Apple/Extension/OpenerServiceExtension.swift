public import UserNotifications
internal import OpenerNSE
internal import os

/// The Notification Service Extension of an app with sealed notifications. An app inherits from it and says its settings:
///
///     nonisolated final class NotificationService: OpenerServiceExtension {
///         override class var settings: OpenerSettings { .chat }
///     }
///
/// (`nonisolated` where the target's default is the main actor, as in new targets of Xcode 26.)
///
/// The handler of each request is called exactly once: with what the seal says, with the app's own placeholder where it does not
/// open, with the notification as it came where nothing was sealed; 25 seconds after it came at the latest, and at once when the
/// system says that time is up. Any number of requests may be under way in one instance.
open class OpenerServiceExtension: UNNotificationServiceExtension {
    private let state = Locked(ExtensionState())

    /// What the app and this extension have agreed on. It has to be overridden: without, every sealed notification shows the
    /// placeholder, and the log says why.
    open class var settings: OpenerSettings { OpenerSettings(appGroup: "", keychainGroup: "") }

    override open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let handed = HandedOver(content: request.content, handler: contentHandler)
        let settings = Self.settings
        if settings.appGroup.isEmpty {
            Logger(settings, category: "extension").fault("settings: the App Group is empty; override them in the subclass")
        }
        if settings.keychainGroup.isEmpty {
            Logger(settings, category: "extension").fault(
                "settings: the keychain group is empty; where it comes from Info.plist, is it in that of the extension?")
        }
        let incoming = IncomingNotification(request, arrival: SystemClock.now())
        state.with { state in
            state.receive(incoming, settings) { shown in
                handed.handler(NotificationContent.make(shown, received: handed.content))
            }
        }
    }

    override open func serviceExtensionTimeWillExpire() {
        for run in state.with({ $0.takeRuns() }) { run.expire() }
    }
}
