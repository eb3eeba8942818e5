internal import Foundation
internal import OpenerNSE
#if os(Linux)
    internal import AppleTypes
#endif

/// What app and extension share on disk: one directory in the container of their App Group.
struct GroupContainer: Sendable {
    static let folder = "Waxwing"
    static let queueFolder = "deferred"

    let directory: ContainerDirectory
    let queue: DeferredQueue

    /// - Throws: ``DeviceSetupError``: no container, or it cannot be written.
    init(_ appGroup: String) throws(DeviceSetupError) {
        guard let root = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
            throw .noContainer(appGroup: appGroup)
        }
        let path = root.appendingPathComponent(Self.folder).path
        let queuePath = path + "/" + Self.queueFolder
        do throws(ContainerError) {
            directory = try ContainerDirectory(path)
            queue = try DeferredQueue(queuePath)
        } catch {
            throw .container(error)
        }
        // Nothing in them is plaintext, and pushes come before the first unlock. New files are as their directory is.
        for path in [path, queuePath] {
            try? FileManager.default.setAttributes([.protectionKey: FileProtectionType.none], ofItemAtPath: path)
        }
    }
}
