internal import Foundation

/// Which phone has which group.
final class EmulatedRegistry: @unchecked Sendable {
    private struct Weak { weak var device: EmulatedDevice? }

    private let lock = NSLock()
    private var keychains: [String: Weak] = [:]
    private var containers: [String: Weak] = [:]

    func add(_ device: EmulatedDevice, _ keychainGroups: [String], _ appGroups: [String]) {
        lock.withLock {
            for group in keychainGroups { keychains[group] = Weak(device: device) }
            for group in appGroups { containers[group] = Weak(device: device) }
        }
    }

    func device(keychain group: String) -> EmulatedDevice? { lock.withLock { keychains[group]?.device } }
    func device(container group: String) -> EmulatedDevice? { lock.withLock { containers[group]?.device } }
}
