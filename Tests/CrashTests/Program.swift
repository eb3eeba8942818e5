import CrashSupport
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

    /// The same for a user of whose quota so many kernel keys are left while it runs; `session-probe` is in the folder too.
    /// - Parameter holder: of the session, to force one.
    static func keyctl(
        _ line: String, as user: UInt32, from folder: String, leavingKeys room: Int, holder: String? = nil
    ) throws -> Program {
        let store = String(repeating: "0", count: 32)
        let words = ["--as", "\(user):\(user)", "--leave-keys", "\(room)", store, "/", "-", "run", folder + "/keyctl"]
        return try run(
            folder + "/session-probe", words + line.split(separator: " ").map(String.init),
            ["WAXWING_SESSION_HOLDER": holder ?? ""])
    }

    static let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("keyctl")

    /// Copies a program as it was built into a folder, for everybody to run. By another process: a file that this one writes is
    /// busy as long as any child has it that was forked meanwhile.
    static func copy(_ name: String, into folder: String) throws {
        let source = built.deletingLastPathComponent().appendingPathComponent(name).path
        let copied = try run("/usr/bin/install", ["-m", "755", source, "\(folder)/\(name)"])
        guard copied.status == 0 else { throw CrashFailure(copied.errors) }
    }

    private static func run(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) throws -> Program {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(variables) { $1 }
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
