internal import Foundation
internal import Synchronization

/// What a worker answered with `error`, or that it did not answer any more.
public struct WorkerFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// A `seal-worker` that stays up until it is told to end, or killed. Used by one thread at a time.
public final class WorkerProcess: @unchecked Sendable {
    private let process = Process()
    /// A socket, as writing to a pipe whose reader ended would end the tests, and a signal that is ignored is so in every
    /// program that other tests start.
    private let input: FileHandle
    private let workersEnd: FileHandle
    private let output = Pipe()
    private let errors: URL
    private var unread: [UInt8] = []

    /// - Parameter doubling: leases as a service does, not as a command.
    public init(store: String, doubling: Bool = true) throws {
        (input, workersEnd) = try Self.socketPair()
        errors = URL(fileURLWithPath: store + "-errors-\(UUID())")
        try Data().write(to: errors)
        process.executableURL = try Self.executable()
        process.arguments = [store, doubling ? "doubling" : "exact"]
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = workersEnd
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        // Else the end of the worker would not be the end of its output.
        try output.fileHandleForWriting.close()
        try workersEnd.close()
        _ = try answer()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: errors)
    }

    /// Sends a command without waiting for what it comes to.
    public func send(_ command: String) throws {
        var rest = Array((command + "\n").utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(input.fileDescriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw WorkerFailure("the worker ended") }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends a command and waits for its answer: the lines before `done`.
    /// - Throws: ``WorkerFailure`` with what it said after `error`, or when it ended.
    @discardableResult
    public func ask(_ command: String) throws -> [String] {
        try send(command)
        return try answer()
    }

    /// The rest of the answer to the last command; `each` sees every line as it comes.
    @discardableResult
    public func answer(_ each: (String) throws -> Void = { _ in }) throws -> [String] {
        var lines: [String] = []
        while let line = line() {
            if line == "done" { return lines }
            if line.hasPrefix("error ") { throw WorkerFailure(String(line.dropFirst(6))) }
            try each(line)
            lines.append(line)
        }
        throw WorkerFailure("the worker ended")
    }

    /// Ends it as `kill -9` does, and waits until it is gone.
    public func kill() {
        guard process.isRunning else { return }
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Closes its input, and waits until it has ended by itself.
    public func finish() throws {
        try input.close()
        process.waitUntilExit()
    }

    /// All it wrote to its standard error so far.
    public var complaints: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    private func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let chunk = output.fileHandleForReading.availableData
            if chunk.isEmpty { return nil }
            unread += chunk
        }
    }

    private static func socketPair() throws -> (ours: FileHandle, theirs: FileHandle) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw WorkerFailure("socketpair: errno \(errno)") }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    private static func executable() throws -> URL {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("seal-worker")
    }
}
