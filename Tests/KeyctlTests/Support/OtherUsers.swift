import Foundation

/// Somebody else: words that run what follows them as a user of his own.
enum OtherUsers {
    /// In the group `daemon`, which every Debian has.
    static let member = "setpriv --reuid 61001 --regid 1 --clear-groups"
    static let stranger = "setpriv --reuid 61003 --regid 61003 --clear-groups"

    static let canRunTheProgram: Bool = {
        guard geteuid() == 0, let place = try? place() else { return false }
        return (try? place.run("\(member) keyctl --version"))?.status == 0
    }()

    /// A workplace that others can walk through.
    static func place() throws -> Workplace {
        let place = try Workplace()
        for folder in [place.folder.deletingLastPathComponent(), place.folder, place.programs] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        }
        return place
    }
}
