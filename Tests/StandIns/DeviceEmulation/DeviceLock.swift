/// The lock state of an emulated phone.
public enum DeviceLock: String, Sendable, CaseIterable {
    case unlocked
    case locked
    case beforeFirstUnlock
    /// It has none, and so is never locked; what needs one went when it was removed.
    case withoutPasscode
}
