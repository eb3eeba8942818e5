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
            let previous = try file.read().flatMap { (key) throws(SessionError) in try isOurs(key, name) ? key : nil }
            try publish(key, name, timeout) { (key) throws(SessionError) in try file.write(key) }
            try previous?.invalidate()
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
            var failure: SessionError?
            for name in names {
                do throws(SessionError) { try evict(name) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    private func evict(_ name: String) throws(SessionError) {
        guard let group = place.group else {
            try KernelKey.find(place.keyDescription(name))?.invalidate()
            return
        }
        guard let file = try KeyNumberFile(existing: place, name, group: group) else { return }
        try file.lock()
        if let key = try file.read(), try isOurs(key, name) { try key.invalidate() }
        // Where it cannot be written the number stays, of a key that is not there any more.
        try? file.write(nil)
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

    /// Whether this process can put a key into the keyring and find, read and evict it there, tried once with success.
    static func takesKeys() -> Bool {
        if tookKey.load(ordering: .relaxed) { return true }
        guard getuid() == geteuid() else { return false }
        do {
            let bytes = try GuardedBytes(randomCount: 16)
            let place = try SessionPlace(
                storeIdentifier: SodiumLibrary.randomBytes(16), directory: "/", group: nil)
            let holder = KeyringHolder(place: place)
            try holder.put(bytes, named: "probe")
            let found = try holder.fetch("probe")
            try holder.evict(["probe"])
            guard let found, found.isSame(as: bytes), try holder.fetch("probe") == nil else { return false }
        } catch { return false }
        tookKey.store(true, ordering: .relaxed)
        return true
    }

    private static let tookKey = Atomic<Bool>(false)
}
