import CrashSupport
import Foundation

/// A `crash-worker` that runs one operation with one fault.
final class CrashWorker {
    /// What it said, and how it ended.
    struct Report {
        /// The steps that returned.
        var steps = 0
        /// How many boundaries there were at which a fault makes a difference, by its name; none when it was killed.
        var passed: [String: Int] = [:]
        var failure: Failure?
        var outcome: SceneState?
        var granted: [Grant] = []
        /// The stores in which an erasure is pending.
        var pending: Int?
    }

    /// A step that did not return: `failed STEP KIND SUBJECT: REASON`.
    struct Failure {
        let step: Int
        let kind: String
        let text: String
    }

    /// Seals leased to somebody.
    struct Grant: Hashable {
        let kid: String
        let first: Int64
        let count: Int64

        /// `granted KID FIRST COUNT`
        init?(_ words: [String]) {
            guard words.count == 4, words[0] == "granted", let first = Int64(words[2]), let count = Int64(words[3]) else {
                return nil
            }
            (kid, self.first, self.count) = (words[1], first, count)
        }

        func overlaps(_ other: Grant) -> Bool {
            kid == other.kid && first < other.first + other.count && other.first < first + count
        }
    }

    private let process: pid_t
    private let socket: Int32
    private var unread: [UInt8] = []
    private var status: Int32?

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        defer { close(ends[1]) }
        socket = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = ([Self.path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, Self.path, &actions, nil, &words, &variables)
        self.process = process
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            _ = wait()
        }
        close(socket)
    }

    /// All that it says up to its state, or to its end.
    func report(_ report: Report = Report()) throws -> Report {
        var report = report
        while let line = line() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words.first {
            case "step": report.steps += 1
            case "pending": report.pending = Int(words[1])
            case "passed": report.passed[words[1]] = Int(words[2])
            case "granted":
                if let grant = Grant(words) { report.granted.append(grant) }
            case "failed": report.failure = Failure(step: Int(words[1]) ?? -1, kind: words[2], text: words[3])
            case "outcome":
                report.outcome = SceneState(String(line.dropFirst("outcome ".count)))
                return report
            default: throw WorkerAnswer(line: line)
            }
        }
        return report
    }

    struct WorkerAnswer: Error { let line: String }

    /// Has it go on at a step.
    func go(on step: Int) {
        let line = Array("go \(step)\n".utf8)
        _ = send(socket, line, line.count, Int32(MSG_NOSIGNAL))
    }

    /// Waits for its end; the signal that ended it, or nil when it exited with 0.
    func end() -> Int32? {
        shutdown(socket, Int32(SHUT_WR))
        let status = wait()
        let signal = status & 0x7F
        if signal != 0 { return signal }
        return status == 0 ? nil : -(status >> 8)
    }

    /// Ends it as `kill -9` does. Answers the lines that were not read.
    func killNow() -> [String] {
        kill(process, SIGKILL)
        _ = wait()
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    private func wait() -> Int32 {
        if let status { return status }
        var ended: Int32 = 0
        while waitpid(process, &ended, 0) < 0, errno == EINTR {}
        status = ended
        return ended
    }

    /// The next line; nil when there is none any more.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var part = [UInt8](repeating: 0, count: 1 << 14)
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else { return nil }
            unread += part[..<count]
        }
    }

    private static let path: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("crash-worker").path
    }()
}
