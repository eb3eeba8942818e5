internal import CLinux
internal import Glibc

/// What a file's access control list (acl(5)) lets in beside its mode: users and groups by name. The mode does not show them, as
/// its group bits are then the most that any of them may have.
struct AccessControlList: Equatable, Sendable {
    /// The list that counts for the file, or the one that is given to what is made in a directory.
    enum Kind: String, CaseIterable, Sendable {
        case access = "system.posix_acl_access"
        case inherited = "system.posix_acl_default"
    }

    /// The rights that it gives by name, as in a mode's digit.
    let rights: UInt16

    /// - Parameter path: no symbolic link is followed at its end.
    /// - Throws: what the system says when it cannot tell.
    init(_ kind: Kind, of path: String) throws(KeyStoreError) {
        var bytes = [UInt8](repeating: 0, count: 256)
        var length = waxwing_attribute(path, kind.rawValue, &bytes, bytes.count)
        if length == -Int(ERANGE) {
            // The most that an attribute has.
            bytes = [UInt8](repeating: 0, count: 65_536)
            length = waxwing_attribute(path, kind.rawValue, &bytes, bytes.count)
        }
        // No list, no such lists in this file system, no file.
        guard ![ENODATA, ENOTSUP, ENOSYS, ENOENT].contains(Int32(-length)) else {
            rights = 0
            return
        }
        guard length >= 0 else { throw KeyStoreError(errno: Int32(-length), path, "its access control list cannot be read") }
        rights = Self.rights(bytes.prefix(length))
    }

    /// Four bytes of version, then for each entry its tag, rights and number: 2, 2 and 4 bytes, the lowest first.
    private static func rights(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var (named, mask): (UInt16, UInt16) = (0, 7)
        for start in stride(from: 4, to: bytes.count - 7, by: 8) {
            let rights = UInt16(bytes[start + 2]) & 7
            switch bytes[start] {
            case 0x02, 0x08: named |= rights
            case 0x10: mask = rights
            default: break
            }
        }
        return named & mask
    }

    /// That nobody is let in by name.
    /// - Parameter isDirectory: whether what is made in it is looked at, too.
    /// - Throws: `.permission`.
    static func requireNone(_ path: String, isDirectory: Bool = false) throws(KeyStoreError) {
        for kind in isDirectory ? Kind.allCases : [.access] {
            guard try AccessControlList(kind, of: path).rights == 0 else {
                throw KeyStoreError(
                    .permission, path, "an access control list lets others in", hint: "setfacl -b \(HintWord.of(path))")
            }
        }
    }

    /// Takes both lists away from what was made in a directory that gives them on.
    static func remove(_ file: Descriptor, _ path: String) throws(KeyStoreError) {
        for kind in Kind.allCases {
            let result = waxwing_remove_attribute(file.number, kind.rawValue)
            guard result == 0 || [ENODATA, ENOTSUP, ENOSYS].contains(Int32(-result)) else {
                throw KeyStoreError(errno: Int32(-result), path, "it cannot be closed to others")
            }
        }
    }
}
