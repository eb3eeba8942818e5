internal import Glibc

/// The open directory of an access group, so that every file of a session is reached through one checked handle.
final class SessionDirectory: Sendable {
    let descriptor: Int32
    let path: String

    /// - Throws: ``SessionError/unsafe(path:reason:)`` when it is no directory, is open to others, or is not of the
    ///   store's group.
    init(_ place: SessionPlace) throws(SessionError) {
        path = place.directory
        descriptor = open(place.directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open \(place.directory)") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("stat \(path)") }
        guard status.st_mode & 0o007 == 0 else { throw .unsafe(path: path, reason: "is open to others") }
        if let group = place.group {
            guard status.st_gid == group else { throw .unsafe(path: path, reason: "is not of the store's group") }
            try Self.requireNoList(path, isDirectory: true)
        } else {
            guard status.st_mode & 0o070 == 0 else { throw .unsafe(path: path, reason: "is open to a group") }
            guard status.st_uid == geteuid() else { throw .unsafe(path: path, reason: "is of another user") }
        }
    }

    /// That an access control list lets nobody in beside the group.
    static func requireNoList(_ path: String, isDirectory: Bool = false) throws(SessionError) {
        do { try AccessControlList.requireNone(path, isDirectory: isDirectory) } catch {
            throw .unsafe(path: path, reason: error.reason)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The path of a file in it for calls that know no descriptors, short enough for a socket's address.
    func pathByDescriptor(_ name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }
}
