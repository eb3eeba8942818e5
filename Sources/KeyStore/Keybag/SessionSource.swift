internal import Glibc

/// The class keys of a store that a person unlocks: they stay with the session holder between processes.
struct SessionSource: ClassKeySource {
    /// What to do when the kernel keeps no further key for the user.
    static let quotaHint =
        "free kernel keys of this user (/proc/key-users counts them; lock --restart of other stores frees some) or "
        + "set WAXWING_SESSION_HOLDER=agent, then keyctl unlock"

    private let subject: String
    private let identifier: [UInt8]
    private let unixGroup: UInt32?
    private let role: StoreRole
    /// Nil where it cannot be had, as on a disk that is read-only.
    private let generation: Generation?

    init(_ store: StoreRow, _ files: GroupDirectory, _ generation: Generation?) throws(KeyStoreError) {
        guard let bytes = Hexadecimal.decode(store.identifier) else {
            throw KeyStoreError(.damaged, "row store", "its name is not hexadecimal")
        }
        subject = files.path.string
        self.identifier = bytes
        unixGroup = files.rules.group
        role = store.role
        self.generation = generation
    }

    func name(in _: any StorageTransaction) throws(KeyStoreError) -> String? {
        do { return try holder().nameHolding(ClassKeyVersion.integrity.sessionName) } catch { throw failure(error) }
    }

    func fetch(_ key: ClassKeyVersion, in _: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        // What a lock could not take away is not read all the same.
        if let generation, generation.marks.keepBack(key.name, of: role) { return nil }
        do { return try holder().fetch(key.sessionName) } catch { throw failure(error) }
    }

    /// All of them, or none but those that were there before.
    func put(_ keys: ClassKeys, timeout: Int?, in _: any StorageTransaction) throws(KeyStoreError) {
        do throws(SessionError) {
            let holder = try holder()
            var entries: [(name: String, key: GuardedBytes, timeout: Int?)] = []
            if let timeout { entries.append((LockDeadline.name, try LockDeadline(in: timeout).bytes, timeout)) }
            // The order in which they are told apart by other processes: with the integrity key all can be read that is after the
            // first unlock, which is all that a sealer store has, and a device store is unlocked with the last of them.
            for version in keys.keys.sorted(by: { rank($0.name) < rank($1.name) }) {
                guard let key = keys[version] else { continue }
                entries.append((version.sessionName, key, version.name.isEvictedByLock(of: role) ? timeout : nil))
            }
            let before = Set(try holder.remaining(of: entries.map(\.name)))
            if KeyringHolder.answers { generation?.mark(.inKeyring) }
            do throws(SessionError) {
                for entry in entries { try holder.put(entry.key, named: entry.name, timeout: entry.timeout) }
            } catch {
                try? holder.evict(entries.map(\.name).filter { !before.contains($0) })
                throw error
            }
            if timeout == nil, keys.keys.contains(where: { $0.name == .whenUnlocked }) {
                try holder.evict([LockDeadline.name])
            }
        } catch { throw failure(error) }
    }

    private func rank(_ name: ClassKeyName) -> Int {
        if name == .integrity { return 1 }
        return role == .device && name.isEvictedByLock(of: role) ? 2 : 0
    }

    func evict(_ keys: [ClassKeyVersion], in _: any StorageTransaction) throws(KeyStoreError) {
        do { try holder().evict(keys.map(\.sessionName)) } catch { throw failure(error) }
    }

    func remaining(
        of keys: [ClassKeyVersion], in _: any StorageTransaction
    ) throws(KeyStoreError) -> [ClassKeyVersion] {
        do {
            let names = try holder().remaining(of: keys.map(\.sessionName))
            try requireReach()
            return keys.filter { names.contains($0.sessionName) }
        } catch { throw failure(error) }
    }

    func listed(in _: any StorageTransaction) throws(KeyStoreError) -> [ClassKeyVersion] {
        do { return try holder().listed().compactMap(ClassKeyVersion.init(sessionName:)) } catch { throw failure(error) }
    }

    /// That there are no keys where this process cannot look.
    private func requireReach() throws(SessionError) {
        guard !KeyringHolder.answers else { return }
        let place = try SessionPlace(storeIdentifier: identifier, directory: subject, group: unixGroup)
        let isMarked = generation.map { $0.marks.contains(.inKeyring) } ?? true
        guard !isMarked, KernelKeyList(place).names.isEmpty else { throw .keyringOutOfReach }
    }

    func secondsUntilLock(in _: any StorageTransaction) throws(KeyStoreError) -> Int? {
        do {
            guard let kept = try holder().fetch(LockDeadline.name), let deadline = LockDeadline(kept) else { return nil }
            return try deadline.secondsLeft()
        } catch { throw failure(error) }
    }

    func forgetTimeout(in _: any StorageTransaction) throws(KeyStoreError) {
        do { try holder().evict([LockDeadline.name]) } catch { throw failure(error) }
    }

    func rehearsed() -> any ClassKeySource { RehearsalSource(self) }

    private func failure(_ error: SessionError) -> KeyStoreError {
        if case .system(let operation, EDQUOT) = error {
            return KeyStoreError(
                .unavailable, subject,
                "the session holder: \(operation): this user's quota of kernel keys is used up",
                hint: Self.quotaHint)
        }
        if error == .keyringOutOfReach {
            return KeyStoreError(
                .unavailable, subject, "the session holder: \(error)",
                hint: "lock it from a process that may use the keyring, as outside of a container")
        }
        let kind: KeyStoreError.Kind =
            switch error {
            case .unsafe, .notAdmitted: .permission
            case .badInput: .badInput
            default: .unavailable
            }
        return KeyStoreError(kind, subject, "the session holder: \(error)")
    }

    /// The holder this machine has for the store, chosen when it is needed.
    private func holder() throws(SessionError) -> any SessionHolder {
        try SessionHolders.choose(store: identifier, directory: subject, group: unixGroup)
    }
}
