public import EnvelopeFormat

/// The moves between key states that are allowed (NIST SP 800-57 part 1 revision 5, section 7): the one table of them.
public enum KeyStateMoves {
    /// From each state to those that may follow it.
    public static let table: [KeyState: Set<KeyState>] = [
        .preActivation: [.active, .compromised, .destroyed],
        .active: [.suspended, .deactivated, .compromised],
        .suspended: [.active, .deactivated, .compromised],
        .deactivated: [.compromised, .destroyed],
        .compromised: [.destroyed],
        .destroyed: [],
    ]

    /// Whether a key may go from the one state to the other.
    public static func allow(from: KeyState, to: KeyState) -> Bool { table[from]?.contains(to) ?? false }

    static func check(from: KeyState, to: KeyState, _ subject: String) throws(KeyStoreError) {
        guard allow(from: from, to: to) else {
            throw KeyStoreError(.refused, subject, "a key that is \(from.rawValue) cannot become \(to.rawValue)")
        }
    }
}
