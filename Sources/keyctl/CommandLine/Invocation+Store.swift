import KeyStore

extension Invocation {
    /// Warns of a store that its unix group cannot use, as the key file is its owner's alone.
    func warnOfKeyFile(of store: Store) throws {
        guard let command = try store.commandSharingKeyFile() else { return }
        note(
            "warning: the store's unix group cannot read its key file, and nobody but its owner can use the store; to share "
                + "it: \(command)")
    }

    /// The store's directory: `--store`, else the environment's `WAXWING_STORE`.
    func storeDirectory() throws(CommandError) -> String {
        let inherited = try GivenText.variable(GivenText.storeVariable)
        guard let directory = value("store") ?? inherited, !directory.isEmpty else {
            throw usage("no store is named", hint: "give --store DIR, or set \(GivenText.storeVariable)")
        }
        guard !directory.hasPrefix("postgres://"), !directory.hasPrefix("postgresql://") else {
            throw CommandError(.unavailable, "--store", "this version works on directories only")
        }
        return directory
    }

    /// Opens the store, of whichever role.
    func openStore() throws -> Store {
        let store = try Store.open(directory: try storeDirectory())
        detail("store \(store.directory), a \(store.role.rawValue) store")
        return store
    }

    func openSealerStore() throws -> SealerStore { try SealerStore(try openStore()) }

    func openDeviceStore() throws -> DeviceStore { try DeviceStore(try openStore()) }
}
