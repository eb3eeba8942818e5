import Foundation
import Glibc

/// A store's directory and the processes that work on it.
final class SessionFixture: Sendable {
    enum Holder: String, CaseIterable, Sendable { case keyring, agent }

    struct Result: Equatable {
        let output: String
        let errors: String
        let status: Int32
        let signal: Int32
    }

    /// Of no account on this machine; the kernel needs none.
    static let member = "61001:61001:61050"
    static let otherMember = "61002:61002:61050"
    static let outsider = "61003:61003"
    static let groupNumber: UInt32 = 61050

    let store: [UInt8]
    let directory: String
    let group: UInt32?

    /// - Parameters:
    ///   - group: of the directory, whose mode is then 2770; else it is one user's own with 0700.
    ///   - owner: whose it is; nil for the user who runs the tests.
    init(group: UInt32? = nil, owner: UInt32? = nil) throws {
        store = (0..<16).map { _ in UInt8.random(in: 0...255) }
        self.group = group
        var template = Array("/tmp/waxwing-session-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        guard chown(directory, owner ?? geteuid(), group ?? owner ?? getegid()) == 0,
            chmod(directory, group == nil ? 0o700 : 0o2770) == 0
        else { throw POSIXError(.EPERM) }
    }

    /// An agent goes with its socket; kernel keys are evicted by the tests that put them.
    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var storeText: String { Hexadecimal.text(store) }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// Runs `session-probe` with the command and answers what it printed.
    @discardableResult
    func probe(
        _ holder: Holder?, as identity: String? = nil, options: [String] = [], store: String? = nil,
        environment: [String: String] = [:], _ command: String...
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments =
            (identity.map { ["--as", $0] } ?? []) + options + [store ?? storeText, directory]
            + [group.map { String($0) } ?? "-"] + command
        var variables = ProcessInfo.processInfo.environment
        variables["WAXWING_SESSION_HOLDER"] = holder?.rawValue
        variables["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = variables.merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let wasKilled = process.terminationReason == .uncaughtSignal
        return Result(
            output: String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines),
            errors: String(decoding: complained, as: UTF8.self),
            status: wasKilled ? -1 : process.terminationStatus,
            signal: wasKilled ? process.terminationStatus : 0)
    }

    /// The agents that serve this directory, by the descriptor they inherited.
    func agents() throws -> [pid_t] { try Self.agents(of: directory) }

    static func agents(of directory: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name -> pid_t? in
            guard let process = pid_t(name), process != getpid() else { return nil }
            guard
                let arguments = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                String(decoding: arguments, as: UTF8.self).contains("session-agent"),
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/fd/5")
            else { return nil }
            return link.hasPrefix(directory) ? process : nil
        }
    }

    /// Waits, 5 seconds at most, until it is so.
    func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<1000 {
            if try isSo() { return true }
            usleep(5_000)
        }
        return false
    }

    private static let executable: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("session-probe").path
    }()

    /// Whether the kernel lets a process here put a key into its keyring.
    static let hasKeyring: Bool = {
        guard let fixture = try? SessionFixture() else { return false }
        return (try? fixture.probe(nil, "name"))?.output == "kernel keyring"
    }()

    static let isRoot = geteuid() == 0

    /// The holders that can be had here.
    static var holders: [Holder] { hasKeyring ? Holder.allCases : [.agent] }
}
