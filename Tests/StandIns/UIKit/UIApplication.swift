public import AppleTypes

/// The running app.
@MainActor open class UIApplication: UIResponder {
    /// Posted when the app comes to the front, with scenes and without.
    public static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    public static let shared = UIApplication()

    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How often it was asked for a token, for tests to look at.
    public private(set) var emulatedRegistrations = 0

    /// Asks for a device token; the delegate is told. Here a test tells it.
    open func registerForRemoteNotifications() { emulatedRegistrations += 1 }
}
