import CTestFaults
import Glibc

@testable import KeyStore

/// Access control lists as an administrator gives them.
enum GivenAccess {
    static let canBeTried: Bool = {
        guard geteuid() == 0, let root = try? Scene.temporaryDirectory() else { return false }
        defer { Scene.remove(root) }
        return set(.access, root)
    }()

    /// What `setfacl -m u:65534:rwx` writes, with -d for the inherited one.
    static func set(_ kind: AccessControlList.Kind, _ path: String) -> Bool {
        func entry(_ tag: UInt8, _ rights: UInt8, _ number: UInt32 = .max) -> [UInt8] {
            [tag, 0, rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let list =
            [2, 0, 0, 0] + entry(1, 7) + entry(2, 7, 65_534) + entry(4, 7) + entry(0x10, 7) + entry(0x20, 0)
        return waxwing_test_set_attribute(path, kind.rawValue, list, list.count) == 0
    }
}
