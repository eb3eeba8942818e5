/// When an item of the keychain can be read, in Apple's words (`kSecAttrAccessible…`).
public enum AccessibilityClass: String, Sendable, CaseIterable {
    case whenUnlocked = "when-unlocked"
    case whenUnlockedThisDeviceOnly = "when-unlocked-this-device-only"
    case afterFirstUnlock = "after-first-unlock"
    case afterFirstUnlockThisDeviceOnly = "after-first-unlock-this-device-only"
    case whenPasscodeSetThisDeviceOnly = "when-passcode-set-this-device-only"

    /// The class of conversation keys unless another is asked for: most pushes arrive on a locked phone.
    public static let standard = AccessibilityClass.afterFirstUnlockThisDeviceOnly

    /// Whether the item never enters a backup.
    public var isThisDeviceOnly: Bool { self != .whenUnlocked && self != .afterFirstUnlock }

    /// Whether the item can be read in this lock state.
    public func isReadable(in state: LockState) -> Bool {
        switch state {
        case .unlocked: true
        case .locked: self == .afterFirstUnlock || self == .afterFirstUnlockThisDeviceOnly
        case .beforeFirstUnlock: false
        }
    }

    /// Whether a provisioning bundle may name it (bundle spec, section 3).
    public var isProvisionable: Bool { self != .whenPasscodeSetThisDeviceOnly }
}
