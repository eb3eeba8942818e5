internal import Glibc
import OpenerNSE

/// A copy of a shared container for a rehearsal, which nothing of the container itself learns of; it goes with the object.
///
/// It holds templates and what waits, sealed as it came; what an extension would write, it writes into the copy.
public final class RehearsedContainer {
    private static let prefix = "waxwing-rehearsal-"
    /// In seconds: no rehearsal takes that long.
    private static let leftoverAge = 3_600

    /// A directory of the temporary folder's, its owner's alone.
    public let path: String

    /// - Parameter original: the container; one that is not there is as good as empty.
    /// - Throws: ``ContainerError`` when the copy cannot be written.
    public init(of original: String) throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        Self.removeLeftovers(in: folder)
        var name = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SimulationError.system(operation: "mkdtemp", code: errno) }
        path = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        try Self.copy(original, to: path)
        try Self.copy(original + "/queue", to: path + "/queue")
    }

    deinit { Self.removeAll(path) }

    /// What rehearsals of the same user have left that were killed.
    private static func removeLeftovers(in folder: String) {
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = Self.name(entry)
            let path = "\(folder)/\(name)"
            var status = stat()
            guard name.hasPrefix(prefix), lstat(path, &status) == 0, status.st_uid == geteuid(),
                status.st_mode & S_IFMT == S_IFDIR, status.st_mtim.tv_sec + leftoverAge < time(nil)
            else { continue }
            removeAll(path)
        }
    }

    private static func removeAll(_ path: String) {
        guard remove(path) != 0, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = Self.name(entry)
            if name != ".", name != ".." { removeAll("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }

    private static func name(_ entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// What cannot be read there cannot be read by an extension either, and is left out.
    private static func copy(_ folder: String, to copy: String) throws {
        guard access(folder, F_OK) == 0, let original = try? ContainerDirectory(folder) else { return }
        let directory = try ContainerDirectory(copy)
        for name in try original.names() {
            guard let bytes = try? original.read(name, atMost: DeferredQueue.byteLimit) else { continue }
            try directory.replace(name, with: bytes, isDurable: false)
        }
    }
}
