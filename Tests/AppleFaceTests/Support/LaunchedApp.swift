import Foundation
import UIKit
import UserNotifications

@testable import ChatExample

/// The example's app as the system starts it. (A file of its own: Testing looks for more where it meets UIKit.)
@MainActor final class LaunchedApp {
    nonisolated static let sceneDelegate = "\(SceneDelegate.self)"
    private let delegate = AppDelegate()

    /// - Returns: whether it says that it has started.
    func launch() -> Bool { delegate.application(.shared, didFinishLaunchingWithOptions: nil) }

    /// What the system posts to an app with scenes.
    func comeToTheFront() { NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil) }

    /// The window of a scene that the system has connected.
    func window() -> UIWindow? {
        let delegate = SceneDelegate()
        delegate.scene(UIWindowScene(), willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions(emulating: ()))
        return delegate.window
    }

    /// How often it asked for an address for pushes.
    var registrations: Int { UIApplication.shared.emulatedRegistrations }

    /// How it shows a notification while it is in front; nil when it does not say.
    func presentation(of request: UNNotificationRequest) -> UNNotificationPresentationOptions? {
        var options: UNNotificationPresentationOptions?
        let notification = UNNotification(emulating: request)
        UNUserNotificationCenter.current().delegate?.userNotificationCenter(.current(), willPresent: notification) { options = $0 }
        return options
    }
}
