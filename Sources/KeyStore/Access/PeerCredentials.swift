internal import CLinux
internal import Glibc

/// Who is at the other end of a Unix socket: the kernel's own record of who connected, or who listened, supplementary groups and
/// all. A name service is not asked, and who joined or left a group since counts as he was, as with an open file.
package struct PeerCredentials: Sendable, Equatable {
    package let uid: UInt32
    package let gid: UInt32
    package let groups: [UInt32]

    /// - Throws: ``SessionError/system(operation:code:)`` where the kernel does not tell, as of a socket that is none of Unix.
    package init(of socket: Int32) throws(SessionError) {
        var peer = waxwing_credentials()
        let result = waxwing_peer_credentials(socket, &peer)
        guard result == 0 else { throw .system(operation: "SO_PEERCRED", code: Int32(-result)) }
        var count = 65536  // NGROUPS_MAX
        var groups = [gid_t](repeating: 0, count: count)
        let groupsResult = waxwing_peer_groups(socket, &groups, &count)
        guard groupsResult == 0 else { throw .system(operation: "SO_PEERGROUPS", code: Int32(-groupsResult)) }
        uid = peer.uid
        gid = peer.gid
        self.groups = Array(groups.prefix(count))
    }

    /// Whether it is of this group, as its own or as a supplementary one.
    package func isOf(group: UInt32) -> Bool { gid == group || groups.contains(group) }
}
