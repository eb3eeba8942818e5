internal import Glibc

/// The choice of a session holder.
public enum SessionHolders {
    /// `keyring` or `agent` in this variable of the environment forces the one or the other; the same for every process.
    public static let variable = "WAXWING_SESSION_HOLDER"

    /// The holder for a store's class keys: the kernel keyring where it can be used, which is tried, else the agent.
    ///
    /// Cheap enough for each operation. Whether the keyring takes a key decides only where keys are put: reading and
    /// evicting reach both wherever the keyring answers, so that no change of the choice leaves a key behind.
    /// - Parameters:
    ///   - identifier: the store's 16 bytes.
    ///   - directory: the access group's, closed to others (``SessionDirectory`` checks it where it is used).
    ///   - group: the gid of the unix group that shares the store.
    /// - Throws: ``SessionError/badInput(_:)`` of an identifier or a variable that is not accepted.
    public static func choose(
        store identifier: [UInt8], directory: String, group: UInt32?
    ) throws(SessionError) -> any SessionHolder {
        let place = try SessionPlace(storeIdentifier: identifier, directory: directory, group: group)
        let keyring = KeyringHolder(place: place)
        let agent = AgentHolder(place: place)
        switch getenv(variable).map({ String(cString: $0) }) {
        case nil, "":
            guard KeyringHolder.answers else { return agent }
            guard KeyringHolder.takesKeys() else { return ChosenHolder(chosen: agent, other: keyring, readsBoth: true) }
            return ChosenHolder(chosen: keyring, other: agent, readsBoth: true)
        case "keyring":
            return ChosenHolder(chosen: keyring, other: agent, readsBoth: false)
        case "agent":
            guard KeyringHolder.answers else { return agent }
            return ChosenHolder(chosen: agent, other: keyring, readsBoth: false)
        default:
            throw .badInput("\(variable) is neither keyring nor agent")
        }
    }
}
