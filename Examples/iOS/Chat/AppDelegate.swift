import UIKit
import UserNotifications

final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let session = ChatSession(backend: Backend(url: URL(string: "https://chat.example.com/push")))
    private let presenter = Presenter()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // It is weak: whoever is the delegate has to be kept.
        UNUserNotificationCenter.current().delegate = presenter
        // In an app with scenes the system does not call `applicationDidBecomeActive`, and posts this all the same.
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
        ) { [session] _ in
            Task { await session.catchUp() }
        }
        Task {
            let isAllowed = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
            guard isAllowed == true else { return }
            application.registerForRemoteNotifications()
        }
        return true
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        Task { await session.start(token: deviceToken) }
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        session.log("no device token: \(error)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        Task { await session.catchUp() }
    }
}
