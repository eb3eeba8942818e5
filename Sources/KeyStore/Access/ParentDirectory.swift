internal import Glibc

/// A directory reached from the root step by step, no symbolic link followed, nobody else able to replace a step.
enum ParentDirectory {
    /// Opened for looking up names only: the directory need not be readable.
    private static let pathOnly: Int32 = 0o10000000

    /// - Parameter owner: of what is to be found at the end, beside root and oneself trusted with the way there.
    /// - Parameter group: whose members are trusted with it, too.
    /// - Throws: `.permission` naming the step and its mode, `.unavailable` for a step that is not there.
    static func open(
        _ path: AbsolutePath, owner: UInt32? = nil, group: UInt32? = nil
    ) throws(KeyStoreError) -> Descriptor {
        var directory = try Descriptor(Glibc.open("/", pathOnly | O_DIRECTORY | O_CLOEXEC), "/", "cannot be opened")
        var walked = "/"
        try check(try directory.status(walked), walked, owner, group)
        for component in path.components {
            let next = walked == "/" ? "/\(component)" : "\(walked)/\(component)"
            if let status = try directory.status(at: component, next) {
                guard !status.isSymbolicLink else {
                    throw KeyStoreError(.permission, next, "it is a symbolic link", hint: "name the directory itself")
                }
                guard status.isDirectory else { throw KeyStoreError(.badInput, next, "it is not a directory") }
            }
            directory = try Descriptor(
                openat(directory.number, component, pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), next,
                "cannot be opened")
            walked = next
            try check(try directory.status(walked), walked, owner, group)
        }
        return directory
    }

    /// The directory of something that is to be made.
    /// - Throws: `.cannotCreate` where it is not there, or no directory; else as ``open(_:owner:group:)``.
    static func open(
        toMake path: AbsolutePath, owner: UInt32? = nil, group: UInt32? = nil
    ) throws(KeyStoreError) -> Descriptor {
        do throws(KeyStoreError) { return try open(path.parent, owner: owner, group: group) } catch {
            guard error.kind == .unavailable || error.kind == .badInput else { throw error }
            throw KeyStoreError(.cannotCreate, error.subject, error.reason, hint: error.hint)
        }
    }

    private static func check(_ status: FileStatus, _ path: String, _ owner: UInt32?, _ group: UInt32?) throws(KeyStoreError) {
        guard status.owner == 0 || status.owner == geteuid() || status.owner == owner else {
            throw KeyStoreError(
                .permission, path, "it is of user \(status.owner), who could replace what is in it",
                hint: "as root: chown root \(HintWord.of(path))")
        }
        let isSticky = status.mode & 0o1000 != 0
        let isOwnGroup = status.group == 0 || status.group == status.owner || status.group == group
        if status.mode & 0o002 != 0, !isSticky {
            throw KeyStoreError(
                .permission, path, "mode \(status.modeText) is writable by others", hint: "chmod o-w \(HintWord.of(path))")
        }
        if status.mode & 0o020 != 0, !isSticky, !isOwnGroup {
            throw KeyStoreError(
                .permission, path, "mode \(status.modeText) is writable by group \(status.group)",
                hint: "chmod g-w \(HintWord.of(path))")
        }
        // The group bits of a mode are the most that its list gives.
        if status.mode & 0o020 != 0, !isSticky, try AccessControlList(.access, of: path).rights & 0o2 != 0 {
            throw KeyStoreError(
                .permission, path, "an access control list lets others write", hint: "setfacl -b \(HintWord.of(path))")
        }
    }
}
