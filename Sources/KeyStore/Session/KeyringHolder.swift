internal import CLinux
internal import Glibc
internal import Synchronization

/// Class keys in the kernel's key service: linked to the user keyring, unswappable, gone after a restart.
///
/// A key is made complete (group, permissions, timeout) where only the thread sees it and linked then; from there on
/// nobody may write it or widen its permissions. A key of the user's own store is found by its description in the user
/// keyring; one of a group's store by its number, which a ``KeyNumberFile`` hands over, and counts only when the kernel
/// says that it is of that group: no outsider can give a key a group that he is not in.
struct KeyringHolder: SessionHolder {
    let place: SessionPlace

    var name: String { "kernel keyring" }

    func put(_ key: GuardedBytes, named name: String, timeout: Int?) throws(SessionError) {
        try SessionPlace.check(key, name: name, timeout: timeout)
        guard let group = place.group else {
            let previous = try KernelKey.find(place.keyDescription(name))
            try publish(key, name, timeout) { (_) throws(SessionError) in }
            try previous?.invalidate()
            return
        }
        try GroupRights.with(group) { () throws(SessionError) in
            let file = try KeyNumberFile(place, name, group: group)
            try file.lock()
            // Also of a number that was lost.
            let previous = try found(name, KernelKeyList(place), file)
            try publish(key, name, timeout) { (key) throws(SessionError) in try file.write(key) }
            for key in previous { try key.invalidate() }
        }
    }

    func fetch(_ name: String) throws(SessionError) -> GuardedBytes? {
        try SessionPlace.check(name: name)
        return try GroupRights.with(place.group) { () throws(SessionError) in
            // Between finding a key and reading it another unlock may have replaced it: look again then.
            var last: KernelKey?
            for _ in 0..<4 {
                guard let key = try current(name), key != last else { return nil }
                if try isOurs(key, name), let bytes = try key.payload() { return bytes }
                last = key
            }
            return nil
        }
    }

    func evict(_ names: [String]) throws(SessionError) {
        for name in names { try SessionPlace.check(name: name) }
        try GroupRights.with(place.group) { () throws(SessionError) in
            let listed = KernelKeyList(place)
            var failure: SessionError?
            for name in names {
                do throws(SessionError) { try evict(name, listed) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// Wherever it is: a number that was lost, or one of a copy of the store, does not keep it.
    private func evict(_ name: String, _ listed: KernelKeyList) throws(SessionError) {
        let keys = try found(name, listed, nil)
        if let own = try KernelKey.find(place.keyDescription(name)), keys.contains(own) { own.withdraw() }
        for key in keys { try key.invalidate() }
        guard let group = place.group, let file = try KeyNumberFile(existing: place, name, group: group) else { return }
        // Nobody is waited for who may have been stopped; what he puts meanwhile comes after this.
        let isLocked = try file.tryLock()
        if let key = try file.read(), try isOurs(key, name) { try key.invalidate() }
        // Where it cannot be written the number stays, of a key that is not there any more.
        if isLocked { try? file.write(nil) }
    }

    func remaining(of names: [String]) throws(SessionError) -> [String] {
        try GroupRights.with(place.group) { () throws(SessionError) in
            let listed = KernelKeyList(place)
            var remaining: [String] = []
            for name in names {
                let isFound = try !found(name, listed, nil).isEmpty
                if try isFound ? true : fetch(name) != nil { remaining.append(name) }
            }
            return remaining
        }
    }

    func listed() throws(SessionError) -> [String] {
        try GroupRights.with(place.group) { () throws(SessionError) in KernelKeyList(place).names }
    }

    /// The store's keys of that name that are in this user's keyring, that the kernel lists for this process, or whose number is
    /// in the file.
    private func found(
        _ name: String, _ listed: KernelKeyList, _ file: KeyNumberFile?
    ) throws(SessionError) -> [KernelKey] {
        let others = [try KernelKey.find(place.keyDescription(name)), try file?.read()]
        var keys: [KernelKey] = []
        for key in listed.keys(name) + others.compactMap(\.self) where try isOurs(key, name) { keys.append(key) }
        return keys
    }

    /// The key as it is said to be, unverified.
    private func current(_ name: String) throws(SessionError) -> KernelKey? {
        guard let group = place.group else { return try KernelKey.find(place.keyDescription(name)) }
        return try KeyNumberFile(existing: place, name, group: group)?.read()
    }

    /// Whether the kernel says that the key is this store's: the description, whose it is, and nobody else's to read.
    private func isOurs(_ key: KernelKey, _ name: String) throws(SessionError) -> Bool {
        guard let attributes = try key.attributes(), attributes.description == place.keyDescription(name),
            attributes.permissions == permissions
        else { return false }
        return place.group.map { $0 == attributes.gid } ?? (attributes.uid == geteuid())
    }

    /// View, read and search (which is what invalidating asks for) for the possessor, the user, and the group if any;
    /// and for the possessor to link it, once.
    private var permissions: UInt32 {
        let needed = UInt32(waxwing_key_view_right | waxwing_key_read_right | waxwing_key_search_right)
        let own =
            (needed | UInt32(waxwing_key_link_right)) << UInt32(waxwing_key_possessor_shift) | needed
            << UInt32(waxwing_key_user_shift)
        return place.group == nil ? own : own | needed << UInt32(waxwing_key_group_shift)
    }

    private func publish(
        _ bytes: GuardedBytes, _ name: String, _ timeout: Int?,
        announcing announce: (KernelKey) throws(SessionError) -> Void
    ) throws(SessionError) {
        let key = try KernelKey.create(place.keyDescription(name), bytes)
        do {
            if let group = place.group { try key.setGroup(group) }
            if let timeout { try key.setTimeout(timeout) }
            try key.setPermissions(permissions)
            try announce(key)
            try key.publish()
        } catch {
            try key.invalidate()  // letting go alone would leave it to be read by number until it is collected
            throw error
        }
        try key.release()
    }
}

extension KeyringHolder {
    /// Whether the keyring answers this process at all, so that keys that are there can be read and evicted.
    static var answers: Bool {
        do throws(SessionError) { _ = try KernelKey.find("waxwing:answers") } catch {
            guard case .system(_, let code) = error else { return true }
            return code != ENOSYS && code != EPERM
        }
        return true
    }

    /// Whether the kernel takes a key of this process and gives it back, tried once with success.
    ///
    /// In the thread's own keyring: what is tried goes with the thread, also when the process is killed.
    static func takesKeys() -> Bool {
        if tookKey.load(ordering: .relaxed) { return true }
        guard getuid() == geteuid() else { return false }
        do {
            let bytes = try GuardedBytes(randomCount: 16)
            let key = try KernelKey.create("waxwing:tried", bytes)
            let found = Result { () throws(SessionError) in try key.payload() }
            try key.release()
            guard let found = try found.get(), found.isSame(as: bytes) else { return false }
        } catch { return false }
        tookKey.store(true, ordering: .relaxed)
        return true
    }

    private static let tookKey = Atomic<Bool>(false)
}
