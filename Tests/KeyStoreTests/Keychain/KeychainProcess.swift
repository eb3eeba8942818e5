import Foundation
import Testing

@testable import KeyStore

/// A `keychain-probe` that stays running: another program on the same store, as whichever user.
final class KeychainProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending: [UInt8] = []

    init(
        _ directory: String, _ holder: SessionFixture.Holder? = nil, as identity: String? = nil, umask: String? = nil
    ) throws {
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments =
            (identity.map { ["--as", $0] } ?? []) + (umask.map { ["--umask", $0] } ?? []) + [directory]
        var variables = ProcessInfo.processInfo.environment
        variables["WAXWING_SESSION_HOLDER"] = holder?.rawValue
        process.environment = variables
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    var identifier: pid_t { process.processIdentifier }

    /// Sends a command and answers the line that came back.
    @discardableResult
    func ask(_ command: String...) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((command.joined(separator: " ") + "\n").utf8))
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return line
            }
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the probe has gone")
            pending += more
        }
    }

    /// The status alone of what it answers: 0 for `ok`.
    func status(_ command: String...) throws -> Int32 {
        let answer = try ask(command.joined(separator: " "))
        if answer == "ok" || answer.hasPrefix("ok ") { return 0 }
        return try #require(Int32(answer.prefix { $0 != " " }), "\(answer)")
    }

    private static let executable: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("keychain-probe").path
    }()
}
