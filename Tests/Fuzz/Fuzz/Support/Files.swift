import FoundationEssentials
import Glibc

/// Files as a fuzzer reads and writes them.
enum Files {
    static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// The paths of the files of a folder, in order.
    static func list(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
    }

    static func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    /// A line on standard output.
    static func printLine(_ line: [UInt8]) { put(line, on: STDOUT_FILENO) }

    /// A line on standard error.
    static func say(_ line: String) { put(Array(line.utf8), on: STDERR_FILENO) }

    private static func put(_ line: [UInt8], on descriptor: Int32) {
        var rest = (line + [0x0A])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
