import Foundation

/// What stands in files, whoever wrote it.
enum FileBytes {
    static func all(of paths: [String]) throws -> [Data] {
        try paths.filter { FileManager.default.fileExists(atPath: $0) }.map {
            try Data(contentsOf: URL(fileURLWithPath: $0))
        }
    }

    static func contains(_ data: Data, _ bytes: [UInt8]) -> Bool { data.range(of: Data(bytes)) != nil }
}
