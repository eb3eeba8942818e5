/// The lock state of a device, as iOS data protection knows it.
public enum LockState: String, Sendable, CaseIterable {
    case unlocked
    case locked
    case beforeFirstUnlock = "before-first-unlock"
}
