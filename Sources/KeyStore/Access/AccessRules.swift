internal import Glibc

/// Who may use a store, and the modes that say so: its owner alone, or a unix group too.
struct AccessRules: Equatable, Sendable {
    let owner: UInt32
    /// The gid of the group that was asked for.
    let group: UInt32?

    var directoryMode: UInt32 { group == nil ? 0o0700 : 0o2770 }
    var fileMode: UInt32 { group == nil ? 0o0600 : 0o0660 }

    /// What a directory says of itself.
    /// - Throws: `.permission` when others are let in, or when its modes are neither of the two.
    init(of directory: FileStatus, _ path: String) throws(KeyStoreError) {
        guard directory.isDirectory else { throw KeyStoreError(.permission, path, "it is not a directory") }
        guard directory.mode & 0o007 == 0 else {
            throw KeyStoreError(
                .permission, path, "mode \(directory.modeText) lets everybody in", hint: Self.hint(directory, path))
        }
        owner = directory.owner
        if directory.mode & 0o070 == 0 {
            group = nil
            guard owner == geteuid() else {
                throw KeyStoreError(.permission, path, "it is of user \(owner)", hint: "run it as that user")
            }
        } else {
            group = directory.group
            guard directory.mode == 0o2770 else {
                throw KeyStoreError(
                    .permission, path, "mode \(directory.modeText) lets a group in that was not asked for",
                    hint: Self.hint(directory, path))
            }
        }
    }

    /// The mode that it should have, by whether it was a unix group's.
    private static func hint(_ directory: FileStatus, _ path: String) -> String {
        guard directory.mode & 0o2000 == 0 else { return "chmod 2770 \(HintWord.of(path))" }
        let shared = "; or if its group is to use the store: chmod 2770 \(HintWord.of(path))"
        return "chmod 700 \(HintWord.of(path))" + (directory.mode & 0o070 == 0o070 ? shared : "")
    }

    init(owner: UInt32, group: UInt32?) {
        self.owner = owner
        self.group = group
    }

    /// Whether it lets in fewer than these rules say, and nobody else.
    func isNarrower(_ file: FileStatus) -> Bool {
        file.isRegular && file.mode != fileMode && file.mode & ~fileMode == 0
            && (group.map { $0 == file.group } ?? (file.owner == owner))
    }

    /// - Parameter isFounding: whether it is of those that the creator made and still owns.
    /// - Throws: `.permission` for a link, what is no regular file, and a mode, owner or group other than these rules'.
    func check(file: FileStatus, _ path: String, isFounding: Bool) throws(KeyStoreError) {
        guard !file.isSymbolicLink else { throw KeyStoreError(.permission, path, "it is a symbolic link") }
        guard file.isRegular else { throw KeyStoreError(.permission, path, "it is not a regular file") }
        let hint = "chmod \(String(fileMode, radix: 8)) \(HintWord.of(path))"
        guard file.mode & 0o007 == 0 else {
            throw KeyStoreError(.permission, path, "mode \(file.modeText) lets everybody in", hint: hint)
        }
        if let group {
            guard file.group == group else {
                throw KeyStoreError(
                    .permission, path, "it is of group \(file.group)", hint: "as root: chgrp \(group) \(HintWord.of(path))")
            }
            guard file.mode == fileMode else {
                throw KeyStoreError(
                    .permission, path, "mode \(file.modeText) is not \(String(fileMode, radix: 8))", hint: hint)
            }
        } else {
            guard file.mode & 0o070 == 0 else {
                throw KeyStoreError(
                    .permission, path, "mode \(file.modeText) lets a group in that was not asked for", hint: hint)
            }
            // Of a database that its owner may only read SQLite would make a log that nobody can write later.
            guard file.mode == fileMode else {
                throw KeyStoreError(
                    .permission, path, "mode \(file.modeText) is not 0600, which readers need too", hint: hint)
            }
        }
        if isFounding || group == nil {
            guard file.owner == owner else {
                throw KeyStoreError(
                    .permission, path, "it is of user \(file.owner)", hint: "as root: chown \(owner) \(HintWord.of(path))")
            }
        }
        // Of a file that a group has no rights on, a list gives none either.
        if group != nil { try AccessControlList.requireNone(path) }
    }
}
