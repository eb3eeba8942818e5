internal import Glibc
import OpenerNSE

/// A copy of a shared container for a rehearsal, which nothing of the container itself learns of; it goes with the object.
///
/// It holds templates and what waits, sealed as it came; what an extension would write, it writes into the copy.
public final class RehearsedContainer {
    /// A directory of the temporary folder's, its owner's alone.
    public let path: String

    /// - Parameter original: the container; one that is not there is as good as empty.
    /// - Throws: ``ContainerError`` when the copy cannot be written.
    public init(of original: String) throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var name = Array("\(folder)/waxwing-rehearsal-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SimulationError.system(operation: "mkdtemp", code: errno) }
        path = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        try Self.copy(original, to: path)
        try Self.copy(original + "/queue", to: path + "/queue")
    }

    deinit { Self.removeAll(path) }

    private static func removeAll(_ path: String) {
        guard remove(path) != 0, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { removeAll("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
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
