import CryptoPrimitives
import EnvelopeFormat
import Foundation
import KeyStore
import Testing

/// The program that is tested, in a process of its own with a store of its own, gone at the end.
final class RunningService {
    let folder: URL
    let store: SealerStore
    private let process = Process()

    var socket: String { folder.appendingPathComponent("s").path }
    var log: String { (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? "" }
    var processIdentifier: Int32 { process.processIdentifier }

    static var now: Int64 { Int64(time(nil)) }

    /// The program as SwiftPM built it, beside the bundle of the tests.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("sealerd")

    /// - Parameters:
    ///   - listen: beside the Unix socket, which this user may do everything at.
    ///   - members: more members of the configuration.
    ///   - isStarted: false where the caller does it.
    init(
        listen: [String] = [], _ members: String = "", variables: [String: String] = [:], isStarted: Bool = true, words: [String] = [],
        prepare: (RunningService) throws -> Void = { _ in }
    ) throws {
        // Short, as a socket's path is.
        folder = URL(fileURLWithPath: "/tmp/sealerd-\(UInt32.random(in: .min ... .max))-\(getpid())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: folder.path + "/key"))
        store = try SealerStore(
            try Store.create(directory: folder.path + "/store", configuration: configuration, now: Self.now))
        let all = #"{"unix":"\#(socket)","mode":"0666","allow":[{"uid":\#(geteuid()),"scopes":["seal","provision","admin"]}]}"#
        try write(
            #"{"store":"\#(folder.path)/store","listen":[\#(([all] + listen).joined(separator: ","))]\#(members.isEmpty ? "" : ",\(members)")}"#,
            to: "configuration")
        try prepare(self)
        process.executableURL = URL(fileURLWithPath: words.first ?? Self.program.path)
        process.arguments = words.dropFirst() + (words.isEmpty ? [] : [Self.program.path]) + ["--config", path("configuration")]
        process.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        try Data().write(to: folder.appendingPathComponent("log"))
        process.standardError = try FileHandle(forWritingTo: folder.appendingPathComponent("log"))
        guard isStarted else { return }
        try start()
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// What of its memory is in memory now, in bytes.
    var residentByteCount: Int {
        get throws {
            let pages = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8).split(separator: " ")
            return (Int(pages[1]) ?? 0) * 4_096
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    /// Starts it, and waits until it answers.
    func start() throws {
        try process.run()
        for _ in 0..<1_000 {
            if let client = try? HTTPClient(.unix(socket)), try client.ask("GET", "/healthz").status == 200 { return }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: log])
    }

    /// Runs it where it does not begin.
    func outcome() throws -> Int32 {
        try process.run()
        return end()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    func client(timeout: Int = 60) throws -> HTTPClient { try HTTPClient(.unix(socket), timeout: timeout) }

    func ask(_ method: String, _ path: String, _ body: String? = nil, headers: [String] = []) throws -> HTTPReply {
        try client().ask(method, path, body, headers: headers)
    }

    /// Waits until the log has the text.
    func waitForLog(_ text: String) throws {
        for _ in 0..<1_000 {
            if log.contains(text) { return }
            usleep(10_000)
        }
        Issue.record("the log never has \(text): \(log)")
    }

    /// A port that nobody listens at now.
    static func freePort() throws -> UInt16 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { throw POSIXError(.EIO) }
        return UInt16(bigEndian: name.sin_port)
    }

    /// A conversation with one phone, which is nothing but a key.
    @discardableResult
    func provision(_ name: String, _ algorithm: KeyAlgorithm = .dir) throws -> DeviceThumbprint {
        let document = try EnrollmentDocument(
            publicKey: P256.KeyAgreement.PrivateKey().publicKey, enrollmentSecret: SymmetricKey(size: .bits256), name: "phone of \(name)")
        let phone = try store.enroll(document, now: Self.now).device.thumbprint
        _ = try store.provision(try ConversationIdentifier(name), algorithm: algorithm, members: [phone], now: Self.now)
        return phone
    }
}
