internal import DeviceEmulation
public import Foundation

extension FileManager {
    /// The container of an App Group; nil where the process has no entitlement for it.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        EmulatedDevice.holding(container: groupIdentifier)?.containerURL(groupIdentifier)
    }
}
