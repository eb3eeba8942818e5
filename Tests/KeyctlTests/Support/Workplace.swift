import Foundation

/// A folder of its own with the built program in it under both names, gone at the end.
final class Workplace {
    let folder: URL
    let programs: URL
    /// Of every line.
    private let variables: [String: String]
    /// Where lines are run; nil for this machine.
    var machine: Machine?

    init(variables: [String: String] = [:]) throws {
        self.variables = variables
        let root = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("keyctl-\(UUID().uuidString)")
        folder = root.appendingPathComponent("work")
        programs = root.appendingPathComponent("bin")
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        for url in [root, folder, programs] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false, attributes: mode)
        }
        for name in ["keyctl", "waxctl"] {
            try FileManager.default.createSymbolicLink(
                at: programs.appendingPathComponent(name), withDestinationURL: Self.builtProgram)
        }
    }

    /// Takes the class keys out of the session too, which would stay in the kernel until the next start.
    deinit {
        _ = try? run("for file in */*/store.sqlite; do keyctl lock --restart --store \"${file%/*/*}\"; done")
        try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    /// The program as SwiftPM built it, beside the bundle of the tests.
    static var builtProgram: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("keyctl")
    }

    /// Runs a line of shell in the folder.
    func run(_ line: String, variables: [String: String] = [:]) throws -> Finished {
        let outputs = folder.deletingLastPathComponent()
        let process = Process()
        let words = (machine?.words(in: folder.path) ?? []) + ["/bin/sh", "-c", line]
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = self.variables.merging(variables) { $1 }.merging(
            ["PATH": "\(programs.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path]) { $1 }
        let (output, outputURL) = try sink(outputs.appendingPathComponent("stdout"))
        let (error, errorURL) = try sink(outputs.appendingPathComponent("stderr"))
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = error
        try Self.withoutBlockedSignals { try process.run() }
        process.waitUntilExit()
        return Finished(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try Data(contentsOf: outputURL), error: try Data(contentsOf: errorURL))
    }

    /// A child inherits which signals its starter blocks, and a shell that is never told of a child's end waits for ever.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    private func sink(_ url: URL) throws -> (FileHandle, URL) {
        try Data().write(to: url)
        return (try FileHandle(forWritingTo: url), url)
    }
}
