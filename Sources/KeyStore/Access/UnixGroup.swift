internal import Glibc

/// A group of the system, by its name.
enum UnixGroup {
    /// - Throws: `.badInput` when there is no such group.
    static func identifier(of name: String) throws(KeyStoreError) -> UInt32 {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        let code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil else {
            throw KeyStoreError(.badInput, "unix group \(name)", "there is no such group")
        }
        return entry.gr_gid
    }
}
