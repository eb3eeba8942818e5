/// The states of a key in NIST SP 800-57 part 1 revision 5, section 7.
public enum KeyState: String, Sendable, CaseIterable {
    case preActivation = "pre-activation"
    case active
    case suspended
    case deactivated
    case compromised
    case destroyed

    /// Whether what was sealed under a key in this state may still be opened.
    public var opens: Bool { self == .active || self == .deactivated }
}
