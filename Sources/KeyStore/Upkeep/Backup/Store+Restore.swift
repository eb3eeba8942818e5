extension Store {
    /// What a backup holds, after all of it was authenticated; nothing is made.
    /// - Parameter goesOn: asked now and then, with how many rows were read; false ends it.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` for no backup.
    public static func backupContents(
        of path: String, secret: UnlockSecret, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> BackupSummary {
        // With a wrong library every backup looks damaged.
        try SelfTest.require()
        let reader = try BackupReader(try AbsolutePath(path), secret)
        try reader.authenticate(goesOn)
        var count = 0
        return try BackupContents(reader).forEachRow { (_, _) throws(KeyStoreError) in
            if count.isMultiple(of: 1_000), !goesOn(count) { throw .interrupted }
            count += 1
        }
    }

    /// Makes a store of a backup, all of it or nothing, under a new identifier and new class keys, and leaves it unlocked.
    /// - Parameters:
    ///   - secret: what opens the backup.
    ///   - goesOn: asked now and then, with how many rows are restored; false ends it, and nothing is made.
    ///   - configuration: what the new store is to be, given the role and access group of the one backed up.
    /// - Throws: `.alreadyExists` for a store that is there, `.authenticationFailed` for the wrong secret, `.damaged` for
    ///   a file in which anything was changed, `.full`; nothing is made then.
    public static func restore(
        _ path: String, secret: UnlockSecret, directory: String, now: Int64,
        goesOn: (Int) -> Bool = { _ in true }, configuration: (BackupSummary) throws -> StoreConfiguration
    ) throws -> (store: Store, restored: RestoredStore) {
        try requireAbsent(directory: directory)
        try SelfTest.require()
        let reader = try BackupReader(try AbsolutePath(path), secret)
        try reader.authenticate(goesOn)
        let contents = try BackupContents(reader)
        var configuration = try configuration(contents.summary)
        configuration.defaults = StoreDefaults(json: contents.defaults)
        guard configuration.role == contents.summary.role else {
            throw KeyStoreError(.wrongRole, path, "it is of a \(contents.summary.role.rawValue) store")
        }
        let restoration = Restoration(contents: contents, now: now)
        var restored = RestoredStore(contents: contents.summary)
        let place = try AbsolutePath(directory)
        var founding = try StoreFounding(place, configuration, now: now)
        let store = try withoutActuallyEscaping(goesOn) { goesOn in
            founding.contents = { (transaction) throws(KeyStoreError) in
                restored = try restoration.run(transaction, goesOn)
            }
            defer { founding.contents = nil }
            return try create(founding)
        }
        return (store, restored)
    }
}
