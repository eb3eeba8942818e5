import Foundation

/// A program that was run to its end.
struct Program {
    let status: Int32
    let output: String
    let errors: String

    /// Runs `keyctl` as it was built, in the words of a line.
    /// - Parameter user: the number of another user, who has it from a folder of its own.
    static func keyctl(_ line: String, as user: UInt32? = nil, from folder: String? = nil) throws -> Program {
        let program = folder.map { $0 + "/keyctl" } ?? built.path
        let words = line.split(separator: " ").map(String.init)
        guard let user else { return try run(program, words) }
        return try run("/usr/bin/setpriv", ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", program] + words)
    }

    static let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("keyctl")

    private static func run(_ program: String, _ arguments: [String]) throws -> Program {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short: neither waits for the other to be read.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isExit = process.terminationReason == .exit
        return Program(
            status: isExit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self), errors: String(decoding: complained, as: UTF8.self))
    }
}
