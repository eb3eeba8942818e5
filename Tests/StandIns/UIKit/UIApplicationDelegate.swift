public import AppleTypes

/// What the system tells an app. On Apple's systems all of it is optional.
@MainActor public protocol UIApplicationDelegate: NSObject {
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?)
        -> Bool
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
}
