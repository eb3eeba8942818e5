public import AppleTypes

/// The notifications of an app. The test's own ones are made with ``init(emulating:)``.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let shared = UNUserNotificationCenter(emulating: [])
    private let lock = NSLock()
    private var delivered: [UNNotification]
    private var refusesNext = false
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// One that is no app's, with what was delivered before.
    public init(emulating delivered: [UNNotificationRequest]) {
        self.delivered = delivered.map { UNNotification(date: Date(), request: $0) }
    }

    open class func current() -> UNUserNotificationCenter { shared }

    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        let found = lock.withLock { delivered }
        DispatchQueue.global().async { completionHandler(found) }
    }

    /// Without a trigger it is shown at once, in the place of one that has the same identifier.
    open func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        let isRefused = lock.withLock {
            defer { refusesNext = false }
            guard !refusesNext else { return true }
            delivered.removeAll { $0.request.identifier == request.identifier }
            delivered.append(UNNotification(date: Date(), request: request))
            return false
        }
        DispatchQueue.global().async { completionHandler?(isRefused ? UNError(.notificationsNotAllowed) : nil) }
    }

    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        lock.withLock { delivered.removeAll { identifiers.contains($0.request.identifier) } }
    }

    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    /// What is shown now, for tests to look at.
    public var emulatedContents: [String: UNNotificationContent] {
        lock.withLock { Dictionary(delivered.map { ($0.request.identifier, $0.request.content) }, uniquingKeysWith: { $1 }) }
    }

    /// Lets the next request fail.
    public func emulateRefusal() { lock.withLock { refusesNext = true } }
}
