/// The lock state of an emulated phone.
public enum DeviceLock: String, Sendable, CaseIterable {
    case unlocked
    case locked
    case beforeFirstUnlock
}
