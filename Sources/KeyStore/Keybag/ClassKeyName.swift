internal import EnvelopeFormat

/// The keys of a keybag: one for each accessibility class, and one that authenticates every row.
enum ClassKeyName: String, Sendable, CaseIterable {
    case whenUnlocked = "when-unlocked"
    case whenUnlockedThisDeviceOnly = "when-unlocked-this-device-only"
    case afterFirstUnlock = "after-first-unlock"
    case afterFirstUnlockThisDeviceOnly = "after-first-unlock-this-device-only"
    case whenPasscodeSetThisDeviceOnly = "when-passcode-set-this-device-only"
    /// Readable as `after-first-unlock` is.
    case integrity

    init(_ accessible: AccessibilityClass) {
        switch accessible {
        case .whenUnlocked: self = .whenUnlocked
        case .whenUnlockedThisDeviceOnly: self = .whenUnlockedThisDeviceOnly
        case .afterFirstUnlock: self = .afterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly: self = .afterFirstUnlockThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: self = .whenPasscodeSetThisDeviceOnly
        }
    }

    /// What session holders call it: at most 32 characters.
    var sessionName: String {
        switch self {
        case .whenUnlockedThisDeviceOnly: "when-unlocked-here"
        case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-here"
        case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-here"
        default: rawValue
        }
    }

    /// Whether `lock` takes it away; `lock --restart` takes all. A sealer store has no secret to be read while it is locked.
    func isEvictedByLock(of role: StoreRole) -> Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: role == .sealer
        case .integrity: false
        }
    }
}
