/// The class keys of a store that a person unlocks: they stay with the session holder between processes.
struct SessionSource: ClassKeySource {
    private let subject: String
    private let identifier: [UInt8]
    private let unixGroup: UInt32?

    init(store identifier: String, _ files: GroupDirectory) throws(KeyStoreError) {
        guard let bytes = Hexadecimal.decode(identifier) else {
            throw KeyStoreError(.damaged, "row store", "its name is not hexadecimal")
        }
        subject = files.path.string
        self.identifier = bytes
        unixGroup = files.rules.group
    }

    func name(in _: any StorageTransaction) throws(KeyStoreError) -> String {
        do { return try holder().name } catch { throw failure(error) }
    }

    func fetch(_ key: ClassKeyVersion, in _: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        do { return try holder().fetch(key.sessionName) } catch { throw failure(error) }
    }

    func put(_ keys: ClassKeys, timeout: Int?, in _: any StorageTransaction) throws(KeyStoreError) {
        do {
            let holder = try holder()
            if let timeout {
                try holder.put(try LockDeadline(in: timeout).bytes, named: LockDeadline.name, timeout: timeout)
            } else if keys.keys.contains(where: { $0.name == .whenUnlocked }) {
                try holder.evict([LockDeadline.name])
            }
            // The order in which they are told apart by other processes: the store is unlocked with the last of them.
            for version in keys.keys.sorted(by: { !$0.name.isEvictedByLock && $1.name.isEvictedByLock }) {
                guard let key = keys[version] else { continue }
                let timeout = version.name.isEvictedByLock ? timeout : nil
                try holder.put(key, named: version.sessionName, timeout: timeout)
            }
        } catch { throw failure(error) }
    }

    func evict(_ keys: [ClassKeyVersion], in _: any StorageTransaction) throws(KeyStoreError) {
        do { try holder().evict(keys.map(\.sessionName)) } catch { throw failure(error) }
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
