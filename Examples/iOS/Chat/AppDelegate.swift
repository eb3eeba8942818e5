import UIKit
import UserNotifications

final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let session = ChatSession(backend: Backend(url: URL(string: "https://chat.example.com/push")))
    private let presenter = Presenter()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = presenter
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

    func applicationDidBecomeActive(_ application: UIApplication) {
        Task { await session.catchUp() }
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        Task { await session.catchUp() }
    }
}
