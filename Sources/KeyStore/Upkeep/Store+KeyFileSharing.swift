extension Store {
    /// The command line that lets the store's unix group read the key file which the store reads at every use; nil where
    /// every member can, and where there is no such file or no such group.
    public func commandSharingKeyFile() throws(KeyStoreError) -> String? {
        guard case .keyFile(let path?) = try unlockWay() else { return nil }
        let file = try KeyFile(path, group: unixGroup)
        return try file.isHiddenFromGroup() ? file.sharing : nil
    }
}
