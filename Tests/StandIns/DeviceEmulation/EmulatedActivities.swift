internal import Foundation

/// The activities that processes have asked the system to be kept awake for.
public final class EmulatedActivities: @unchecked Sendable {
    private static let shared = EmulatedActivities()
    private let lock = NSLock()
    private var running: [String: [@Sendable (Bool) -> Void]] = [:]
    private var refused: Set<String> = []

    public static func perform(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
        let isRefused = shared.lock.withLock {
            shared.running[reason, default: []].append(block)
            return shared.refused.contains(reason)
        }
        DispatchQueue.global().async {
            block(isRefused)
            shared.lock.withLock { _ = shared.running[reason]?.popLast() }
        }
    }

    /// Ends what runs under a reason as the system does: by calling it again, from here.
    public static func expire(_ reason: String) {
        for block in shared.lock.withLock({ shared.running[reason] ?? [] }) { block(true) }
    }

    /// Lets nothing begin under a reason any more.
    public static func refuse(_ reason: String) { shared.lock.withLock { _ = shared.refused.insert(reason) } }
}
