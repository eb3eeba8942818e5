/// The choice of a session holder.
public enum SessionHolders {
    /// The holder for a store's class keys: the kernel keyring.
    public static func choose(
        store identifier: [UInt8], directory: String, group: UInt32?
    ) throws(SessionError) -> any SessionHolder {
        KeyringHolder(
            place: try SessionPlace(storeIdentifier: identifier, directory: directory, group: group))
    }
}
