internal import CLinux
internal import Glibc

/// The rights of the store's unix group on the keyring.
///
/// Files obey root without being of the group, kernel keys do not; so that an administrator does not see a store as
/// locked that is not, root takes the group on for the length of one call, in this thread alone.
enum GroupRights {
    /// - Throws: what `body` throws, and ``SessionError/system(operation:code:)`` with EACCES when the process is not of
    ///   the group and cannot take it on.
    static func with<Result>(
        _ group: UInt32?, _ body: () throws(SessionError) -> Result
    ) throws(SessionError) -> Result {
        guard let group, !(try isMember(group)) else { return try body() }
        let own = getegid()
        // setfsgid answers the former value whatever it did: only a second call tells.
        _ = setfsgid(group)
        defer { _ = setfsgid(own) }
        guard UInt32(bitPattern: setfsgid(group)) == group else {
            throw .system(operation: "the store's group", code: EACCES)
        }
        return try body()
    }

    private static func isMember(_ group: UInt32) throws(SessionError) -> Bool {
        if getegid() == group { return true }
        let count = getgroups(0, nil)
        guard count >= 0 else { throw .last("getgroups") }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &groups)
        guard filled >= 0 else { throw .last("getgroups") }
        return groups.prefix(Int(filled)).contains(group)
    }
}
