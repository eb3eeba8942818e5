internal import DeviceEmulation
public import Foundation

extension ProcessInfo {
    /// Runs the block on another thread while the system is asked not to suspend the process; runs it again with true when the
    /// system will not wait any longer. Here it is the test that says when.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        EmulatedActivities.perform(reason, block)
    }
}
