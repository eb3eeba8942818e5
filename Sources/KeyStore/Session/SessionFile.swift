internal import Glibc

/// A small file of a session in the access group's directory, 0600 or, with a group, 0660, never a symbolic link.
final class SessionFile: Sendable {
    let descriptor: Int32

    /// The file; nil when it is not there. On a file system that is read-only it can be read and locked.
    init?(existing name: String, in directory: SessionDirectory, group: UInt32?) throws(SessionError) {
        let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var opened = openat(directory.descriptor, name, O_RDWR | flags)
        if opened < 0, errno == EROFS { opened = openat(directory.descriptor, name, O_RDONLY | flags) }
        descriptor = opened
        if descriptor < 0 {
            let code = errno
            guard code != ELOOP else { throw .unsafe(path: "\(directory.path)/\(name)", reason: "is a symbolic link") }
            guard code == ENOENT else { throw .system(operation: "open \(directory.path)/\(name)", code: code) }
            return nil
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("stat \(name)") }
        let path = "\(directory.path)/\(name)"
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(path: path, reason: "is no regular file") }
        guard status.st_mode & 0o7777 == (group == nil ? 0o600 : 0o660) else {
            throw .unsafe(path: path, reason: "mode 0\(String(status.st_mode & 0o7777, radix: 8))")
        }
        if let group {
            guard status.st_gid == group else { throw .unsafe(path: path, reason: "is not of the store's group") }
            try SessionDirectory.requireNoList(path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The file, made when it is not there.
    static func open(
        _ name: String, in directory: SessionDirectory, group: UInt32?
    ) throws(SessionError) -> SessionFile {
        if let file = try SessionFile(existing: name, in: directory, group: group) { return file }
        try create(name, in: directory, group: group)
        guard let file = try SessionFile(existing: name, in: directory, group: group) else {
            throw .system(operation: "open \(directory.path)/\(name)", code: ENOENT)
        }
        return file
    }

    /// Waits for the file's lock, which is held until this object goes, some 5 seconds at most.
    func lock() throws(SessionError) {
        for _ in 0..<500 {
            if try tryLock() { return }
            usleep(10_000)
        }
        throw .system(operation: "flock", code: EWOULDBLOCK)
    }

    /// Takes the lock if nobody has it.
    func tryLock() throws(SessionError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let code = errno
        guard code == EWOULDBLOCK || code == EINTR else { throw .system(operation: "flock", code: code) }
        return false
    }

    /// Under another name first, so that it has its final mode and group, whatever the umask, once it has its own.
    private static func create(
        _ name: String, in directory: SessionDirectory, group: UInt32?
    ) throws(SessionError) {
        let temporary = try temporaryName(name)
        let descriptor = openat(directory.descriptor, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("create \(directory.path)/\(name)") }
        defer {
            close(descriptor)
            unlinkat(directory.descriptor, temporary, 0)
        }
        if let group {
            guard fchown(descriptor, uid_t.max, group) == 0 else { throw .last("chown") }
        }
        guard fchmod(descriptor, group == nil ? 0o600 : 0o660) == 0 else {
            throw .last("chmod")
        }
        if linkat(directory.descriptor, temporary, directory.descriptor, name, 0) != 0 {
            let code = errno
            guard code == EEXIST else { throw .system(operation: "link \(directory.path)/\(name)", code: code) }
        }
    }

    /// A name that nobody else has chosen.
    static func temporaryName(_ name: String) throws(SessionError) -> String {
        do {
            return try ".\(name)." + SodiumLibrary.randomBytes(8).map { String($0, radix: 16) }.joined(separator: "-")
        } catch { throw .memory(error) }
    }
}
