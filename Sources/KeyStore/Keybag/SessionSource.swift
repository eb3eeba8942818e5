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

    init(store identifier: String, _ role: StoreRole, _ files: GroupDirectory) throws(KeyStoreError) {
        guard let bytes = Hexadecimal.decode(identifier) else {
            throw KeyStoreError(.damaged, "row store", "its name is not hexadecimal")
        }
        subject = files.path.string
        self.identifier = bytes
        unixGroup = files.rules.group
        self.role = role
    }

    func name(in _: any StorageTransaction) throws(KeyStoreError) -> String? {
        do { return try holder().nameHolding(ClassKeyVersion.integrity.sessionName) } catch { throw failure(error) }
    }

    func fetch(_ key: ClassKeyVersion, in _: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
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
            return keys.filter { names.contains($0.sessionName) }
        } catch { throw failure(error) }
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
