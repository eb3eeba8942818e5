public import Foundation

/// Where the project lies, and what may lie beside it.
public enum ProjectFolder {
    /// The folder of `Package.swift`.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder that a variable of the environment names, else one by its path from ``root``; nil when it is not there.
    public static func folder(_ variable: String, else path: String) -> URL? {
        let named = ProcessInfo.processInfo.environment[variable].map { URL(fileURLWithPath: $0) }
        let folder = named ?? root.appendingPathComponent(path).standardizedFileURL
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        return exists && isFolder.boolValue ? folder : nil
    }

    /// The files of a folder with this ending, in order of their names.
    public static func files(in folder: URL, ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The bytes of a file.
    public static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
