internal import CryptoPrimitives
internal import Glibc

/// Makes a store under a name of its own and gives it its place in one step, so that a killed attempt leaves no half.
struct StoreFounding {
    let store: AbsolutePath
    let configuration: StoreConfiguration
    let now: Int64
    let rules: AccessRules
    let keyFile: NewKeyFile?
    let anchor: AnchorFile?
    let auditKeyFile: AuditKeyFile?
    /// Puts what a backup holds into the new store.
    var contents: ((RecordTransaction) throws(KeyStoreError) -> Void)?

    /// What the store is unlocked by, and its anchor in the making.
    private struct Filled {
        let keys: ClassKeys
        let anchor: AnchorFounding?
    }

    init(_ store: AbsolutePath, _ configuration: StoreConfiguration, now: Int64) throws(KeyStoreError) {
        try StoreLibraries.check()
        try StoreConfiguration.check(accessGroup: configuration.accessGroup)
        self.store = store
        self.configuration = configuration
        self.now = now
        var group: UInt32?
        if let name = configuration.unixGroup { group = try UnixGroup.identifier(of: name) }
        rules = AccessRules(owner: geteuid(), group: group)
        // Every member of the group reads the file that a sealer store records.
        keyFile = try configuration.unlock.newKeyFile(
            group: group, isShared: configuration.role == .sealer, isPlacedLater: true)
        if let path = configuration.auditKeyFile {
            auditKeyFile = try AuditKeyFile(path)
        } else {
            auditKeyFile = nil
        }
        if let path = configuration.anchor {
            let file = try AnchorFile(path, rules)
            try file.requireOutside(store)
            // A store that is there may need what is there of an anchor.
            try Store.requireAbsent(directory: store.string)
            try file.requireAbsent()
            try file.requireForAll()
            anchor = file
        } else {
            anchor = nil
        }
        let paths = [keyFile?.file.path, auditKeyFile?.path, anchor?.path].compactMap { $0?.string }
        if let twice = paths.first(where: { path in paths.count(where: { $0 == path }) > 1 }) {
            throw KeyStoreError(.badInput, twice, "it cannot be two of key file, anchor and audit key")
        }
    }

    /// That it would be founded, as far as that can be told without making anything.
    func check() throws(KeyStoreError) {
        try SelfTest.require()
        try place().place.check()
        _ = try keyFile?.key()
    }

    /// Makes the store, all of it with what belongs to it, or nothing. It is unlocked by the keys that are returned.
    func run() throws(KeyStoreError) -> ClassKeys {
        do {
            try SelfTest.require()
            let (place, isStore) = try place()
            let group = configuration.accessGroup
            let filled = try place.fill { (directory, path) throws(KeyStoreError) in
                guard isStore else { return try fill(directory, path) }
                let made = try FoundingPlace.makeDirectory(group, in: directory, path.appending(group), rules)
                return try fill(made, path.appending(group))
            } kept: { filled in
                filled.anchor?.keep()
                auditKeyFile?.keep()
                keyFile?.keep()
            }
            filled.anchor?.complete()
            return filled.keys
        } catch {
            auditKeyFile?.withdraw()
            // No store refers to it then.
            keyFile?.withdraw { _ in false }
            throw error
        }
    }

    /// Something that is no directory is where the store is to be, or above.
    static func inTheWay(_ store: AbsolutePath) -> KeyStoreError {
        KeyStoreError(.cannotCreate, store.string, "a file is in its way")
    }

    /// Where it is made: a directory for the store, or in one that is there a directory for its access group.
    private func place() throws(KeyStoreError) -> (place: FoundingPlace, isStore: Bool) {
        let parent = try ParentDirectory.open(toMake: store)
        guard let existing = try parent.status(at: store.name, store.string) else {
            return (FoundingPlace(parent, store.parent, store.name, rules), true)
        }
        guard !existing.isSymbolicLink else { throw KeyStoreError(.permission, store.string, "it is a symbolic link") }
        guard existing.isDirectory else { throw Self.inTheWay(store) }
        try requireOwn(existing)
        if rules.group != nil { try AccessControlList.requireNone(store.string, isDirectory: true) }
        let directory = try Descriptor(
            openat(parent.number, store.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), store.string,
            "cannot be opened")
        // Of two that found a store in one directory at once, the second looks when the first is done.
        guard flock(directory.number, LOCK_EX) == 0 else {
            throw KeyStoreError(errno: errno, store.string, "cannot be locked")
        }
        try AccessGroups.requireNone(in: directory, store)
        return (FoundingPlace(directory, store, configuration.accessGroup, rules), false)
    }

    /// A directory that is there already is nobody's store yet: what it is used for is not known here, and its mode not to be
    /// changed for this.
    private func requireOwn(_ existing: FileStatus) throws(KeyStoreError) {
        let hint = "name a directory that is not there yet"
        let found: AccessRules
        do { found = try AccessRules(of: existing, store.string) } catch {
            throw KeyStoreError(error.kind, error.subject, error.reason, hint: hint)
        }
        guard found.group == rules.group else {
            throw KeyStoreError(.permission, store.string, "it has another unix group than was asked for", hint: hint)
        }
    }

    /// Puts database and generation file into the access group's directory.
    private func fill(
        _ directory: Descriptor, _ path: AbsolutePath
    ) throws(KeyStoreError) -> Filled {
        let database = path.appending(GroupDirectory.databaseName)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // Closed before SQLite opens it: closing it later would drop SQLite's locks.
        do {
            let file = try Descriptor(
                openat(directory.number, database.name, flags, 0o600), database.string, "cannot be made")
            guard fchmod(file.number, rules.fileMode) == 0 else {
                throw KeyStoreError(errno: errno, database.string, "cannot be made")
            }
        }
        let storage = try SQLiteStorage.migrating(path: database.string, now: now)
        let filled = try writeRecords(storage)
        if contents != nil { _ = try storage.eraseDeleted() }
        try GenerationFile.make(in: directory, path, rules)
        try keyFile?.place()
        try directory.synchronize(path.string)
        try filled.anchor?.begin()
        return filled
    }

    private func writeRecords(_ storage: SQLiteStorage) throws(KeyStoreError) -> Filled {
        let identifier = try RandomName.make()
        let bag = try makeKeybag(identifier)
        var auditKey: AuditKey?
        let founding = try storage.write { (rows) throws(KeyStoreError) in
            let keys = OperationKeys(bag.keys, NoSource(), rows)
            let transaction = RecordTransaction(rows, RowCipher(store: identifier, keys: keys), now: now)
            transaction.foundDigest()
            try transaction.insert(
                StoreRow(
                    identifier: identifier, role: configuration.role, accessGroup: configuration.accessGroup,
                    created: now, keyFile: configuration.role == .sealer ? keyFile?.file.path.string : nil,
                    unixGroup: rules.group.map(Int64.init), owner: Int64(rules.owner),
                    defaults: configuration.defaults.json))
            try transaction.insert(bag.slot)
            for wrap in bag.wraps { try transaction.insert(wrap) }
            try contents?(transaction)
            switch configuration.role {
            case .sealer
            where try transaction.find(ServiceKeyRow.self, ServiceKeyRow.Purpose.idempotency.rawValue) == nil:
                try transaction.insert(
                    ServiceKeyRow(purpose: .idempotency, created: now), secret: SymmetricKey(size: .bits256))
            case .device where try rows.count(.deviceState, []) == 0: try transaction.insert(DeviceStateRow())
            case .sealer, .device: break
            }
            if try rows.count(.auditLog, []) == 0 { auditKey = try AuditLog.found(in: transaction) }
            // A store that is restored says so, in the log that it had.
            if contents == nil {
                transaction.audit(
                    .founding, "store \(identifier)", reason: "\(configuration.role.rawValue) store")
            }
            let founding = try anchor.map { (file) throws(KeyStoreError) in try AnchorFounding(file, in: transaction) }
            try transaction.finish()
            return founding
        }
        if let auditKey { try auditKeyFile?.make(auditKey) }
        return Filled(keys: bag.keys, anchor: founding)
    }

    private func makeKeybag(_ identifier: String) throws(KeyStoreError) -> KeybagMaking {
        let (slot, kek) = try SlotMaking.make(
            configuration.unlock, in: keyFile, unixGroup: rules.group, argon2id: configuration.argon2id, now: now)
        return try KeybagMaking(store: identifier, slot: slot, kek: kek)
    }
}

extension Store {
    /// Makes a store, all of it or nothing, and leaves it unlocked.
    /// - Throws: `.alreadyExists` for a store that is there, whatever its access group, `.permission`, `.cannotCreate`,
    ///   `.full`.
    public static func create(
        directory: String, configuration: StoreConfiguration, now: Int64
    ) throws(KeyStoreError) -> Store {
        try create(try StoreFounding(try AbsolutePath(directory), configuration, now: now))
    }

    static func create(_ founding: StoreFounding) throws(KeyStoreError) -> Store {
        let keys = try founding.run()
        let store = try Store(founding.store, founding.configuration.accessGroup)
        do {
            try store.storage.read { (rows) throws(KeyStoreError) in
                try store.source.put(keys, timeout: nil, in: rows)
            }
        } catch {
            throw KeyStoreError(
                error.kind, error.subject, "the store is made, and is locked: \(error.reason)",
                hint: error.hint ?? "put right what is wrong, then keyctl unlock")
        }
        // So that reading a new store writes nothing.
        store.settle()
        return store
    }

    /// That ``create(directory:configuration:now:)`` would make the store, as far as that can be told without making anything.
    /// - Throws: as that would.
    public static func checkCreation(
        directory: String, configuration: StoreConfiguration, now: Int64
    ) throws(KeyStoreError) {
        try StoreFounding(try AbsolutePath(directory), configuration, now: now).check()
    }

    /// That there is no store at that place; nothing is changed.
    /// - Throws: `.alreadyExists` for a store of whatever access group.
    public static func requireAbsent(directory: String) throws(KeyStoreError) {
        let path = try AbsolutePath(directory)
        let number = Glibc.open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if number < 0, errno == ENOENT { return }
        if number < 0, errno == ENOTDIR { throw StoreFounding.inTheWay(path) }
        try AccessGroups.requireNone(in: try Descriptor(number, path.string, "cannot be opened"), path)
    }
}
