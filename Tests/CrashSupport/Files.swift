internal import Glibc

/// Files of a scene that are no store's, read and written whole.
enum Files {
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "we") else { throw CrashFailure("\(path): errno \(errno)") }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else { throw CrashFailure("\(path): errno \(errno)") }
    }

    /// Nil for a file that is not there.
    static func read(_ path: String) throws -> [UInt8]? {
        guard let file = fopen(path, "re") else {
            guard errno == ENOENT else { throw CrashFailure("\(path): errno \(errno)") }
            return nil
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }
}
