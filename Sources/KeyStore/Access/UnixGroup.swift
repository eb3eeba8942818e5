internal import Glibc

/// A group of the system, by its name.
enum UnixGroup {
    /// - Throws: `.badInput` when there is no such group, `.permission` when this process cannot give files to it.
    static func identifier(of name: String) throws(KeyStoreError) -> UInt32 {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        let code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil else {
            throw KeyStoreError(.badInput, "unix group \(name)", "there is no such group")
        }
        guard mayGive(to: entry.gr_gid) else {
            throw KeyStoreError(.permission, "unix group \(name)", "this process is not of it, and cannot give it files")
        }
        return entry.gr_gid
    }

    private static func mayGive(to group: gid_t) -> Bool {
        guard geteuid() != 0, getegid() != group else { return true }
        var own = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        return own.withUnsafeMutableBufferPointer { own in
            own.prefix(Int(max(0, getgroups(Int32(own.count), own.baseAddress)))).contains(group)
        }
    }
}
