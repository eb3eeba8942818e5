public import Foundation

/// A phone of the tests: lock state, keychain, App Group containers, and which groups the running process is entitled to.
///
/// It is found by its groups' names; processes are not told apart, so what one is not entitled to is taken from its phone.
public final class EmulatedDevice: @unchecked Sendable {
    private static let registry = EmulatedRegistry()
    private let lock = NSLock()
    private var state = DeviceLock.unlocked
    private var stored: [EmulatedItem] = []
    private var callCount = 0
    private var fault: (@Sendable (Int, String) -> Int32?)?
    private var containers: [String: URL] = [:]
    private let groups: [String]

    /// - Parameters:
    ///   - keychainGroups: access groups that the process is entitled to.
    ///   - appGroups: groups whose containers it may use.
    public init(keychainGroups: [String], appGroups: [String]) throws {
        groups = keychainGroups
        for group in appGroups {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("waxwing-\(group)-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            containers[group] = url
        }
        Self.registry.add(self, keychainGroups, appGroups)
    }

    deinit { for url in containers.values { try? FileManager.default.removeItem(at: url) } }

    public static func holding(keychain group: String) -> EmulatedDevice? { registry.device(keychain: group) }
    public static func holding(container group: String) -> EmulatedDevice? { registry.device(container: group) }

    public func containerURL(_ group: String) -> URL? { containers[group] }

    public var lockState: DeviceLock {
        get { lock.withLock { state } }
        set {
            lock.withLock {
                state = newValue
                if state == .withoutPasscode { stored.removeAll(where: \.needsPasscode) }
            }
        }
    }

    /// All that is in the keychain, for tests to look at.
    public var items: [EmulatedItem] { lock.withLock { stored } }

    /// How many calls of the keychain there were.
    public var calls: Int { lock.withLock { callCount } }

    /// What a call of the keychain answers without doing anything: asked with its number from 0 on, and its name; nil does it.
    public func setFault(_ fault: (@Sendable (Int, String) -> Int32?)?) {
        lock.withLock {
            self.fault = fault
            callCount = 0
        }
    }

    /// One call of the keychain, with nobody between.
    public func call(_ name: String, _ body: (inout [EmulatedItem], DeviceLock) -> Int32) -> Int32 {
        lock.withLock {
            defer { callCount += 1 }
            if let status = fault?(callCount, name) { return status }
            return body(&stored, state)
        }
    }
}
