/// The class keys of a store that a person unlocks: they stay with the session holder between processes.
struct SessionSource: ClassKeySource {
    let subject: String
    let holder: any SessionHolder

    var name: String { holder.name }

    func fetch(_ name: ClassKeyName, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        do { return try holder.fetch(name.sessionName) } catch { throw failure(error) }
    }

    func put(_ keys: [ClassKeyName: GuardedBytes], timeout: Int?) throws(KeyStoreError) {
        do {
            if let timeout {
                try holder.put(try LockDeadline(in: timeout).bytes, named: LockDeadline.name, timeout: timeout)
            } else if keys.keys.contains(.whenUnlocked) {
                try holder.evict([LockDeadline.name])
            }
        } catch { throw failure(error) }
        // The order in which they are told apart by other processes: the store is unlocked with the last of them.
        for name in ClassKeyName.allCases.sorted(by: { !$0.isEvictedByLock && $1.isEvictedByLock }) {
            guard let key = keys[name] else { continue }
            let timeout = name.isEvictedByLock ? timeout : nil
            do { try holder.put(key, named: name.sessionName, timeout: timeout) } catch { throw failure(error) }
        }
    }

    func evict(_ names: [ClassKeyName]) throws(KeyStoreError) {
        do {
            try holder.evict(names.map(\.sessionName))
            if names.contains(.whenUnlocked) { try holder.evict([LockDeadline.name]) }
        } catch { throw failure(error) }
    }

    func secondsUntilLock() throws(KeyStoreError) -> Int? {
        do {
            guard let kept = try holder.fetch(LockDeadline.name), let deadline = LockDeadline(kept) else { return nil }
            return try deadline.secondsLeft()
        } catch { throw failure(error) }
    }

    private func failure(_ error: SessionError) -> KeyStoreError {
        let kind: KeyStoreError.Kind =
            switch error {
            case .unsafe, .notAdmitted: .permission
            case .badInput: .badInput
            default: .unavailable
            }
        return KeyStoreError(kind, subject, "the session holder: \(error)")
    }
}

extension SessionSource {
    /// The holder this machine has for the store.
    static func choose(store identifier: String, _ files: GroupDirectory) throws(KeyStoreError) -> SessionSource {
        guard let bytes = Hexadecimal.decode(identifier) else {
            throw KeyStoreError(.damaged, "row store", "its name is not hexadecimal")
        }
        let subject = files.path.string
        do {
            let holder = try SessionHolders.choose(store: bytes, directory: subject, group: files.rules.group)
            return SessionSource(subject: subject, holder: holder)
        } catch { throw KeyStoreError(.unavailable, subject, "the session holder: \(error)") }
    }
}
