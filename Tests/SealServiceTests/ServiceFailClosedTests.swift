import EnvelopeFormat
import Foundation
import KeyStore
import Testing

/// Whatever fails: an error, and nothing of the message in it.
@Suite struct ServiceFailClosedTests {
    private static let text = "attack at dawn by the old harbour"
    private let seal = #"{"conversation":"chat","title":"T","body":"\#(Self.text)","data":{"room":"the green room upstairs"}}"#

    /// An error whose status is one of these, holding no eight bytes in a row of what was to be sealed.
    private func isClosed(_ reply: HTTPReply, _ statuses: Set<Int>, _ what: String) {
        #expect(statuses.contains(reply.status), "\(what): \(reply.status) \(reply.text)")
        for secret in [Self.text, "the green room upstairs"] {
            let letters = Array(secret.utf8)
            for start in 0...(letters.count - 8) {
                #expect(!reply.text.contains(String(decoding: letters[start..<start + 8], as: UTF8.self)), "\(what)")
            }
        }
    }

    private func ask(_ service: RunningService) throws -> [HTTPReply] {
        let one = try service.ask("POST", "/v1/seal", seal)
        let many = try service.ask("POST", "/v1/seal/batch", #"{"requests":[\#(seal)]}"#)
        return [one, many]
    }

    /// The status of a batch's one item, or of the batch.
    private func status(ofItem reply: HTTPReply) -> Int {
        guard reply.status == 200, case .array(let results)? = reply.json["results"] else { return reply.status }
        return Int(results.first?["status"]?.plainInteger ?? 0)
    }

    @Test func theStoreIsGone() throws {
        let service = try RunningService()
        try service.provision("chat")
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
        try FileManager.default.moveItem(atPath: service.path("store"), toPath: service.path("elsewhere"))
        usleep(300_000)
        for reply in try ask(service) {
            #expect(status(ofItem: reply) == 503)
            isClosed(reply, [503, 200], "gone")
        }
        #expect(try service.ask("GET", "/readyz").status == 503)
        #expect(try service.ask("GET", "/healthz").status == 200)
        try FileManager.default.moveItem(atPath: service.path("elsewhere"), toPath: service.path("store"))
        usleep(300_000)
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
    }

    @Test func theKeyHasEnded() throws {
        let service = try RunningService()
        try service.provision("chat")
        let name = try ConversationIdentifier("chat")
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
        _ = try service.store.retire(name, force: true, now: RunningService.now)
        for reply in try ask(service) {
            #expect(status(ofItem: reply) == 409)
            isClosed(reply, [409, 200], "retired")
        }
    }

    /// An operator's `keyctl lock`, and its end.
    @Test func theStoreIsLocked() throws {
        let service = try RunningService()
        try service.provision("chat")
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
        try service.store.store.lock(restart: false, now: RunningService.now)
        for reply in try ask(service) {
            #expect(status(ofItem: reply) == 503 && reply.text.contains("urn:waxwing:problem:locked"))
            isClosed(reply, [503, 200], "locked")
        }
        let ready = try service.ask("GET", "/readyz")
        #expect(ready.status == 503 && ready.problem == "locked" && ready.headers["retry-after"] != nil)
        try service.store.store.unlock(nil, now: RunningService.now)
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
        #expect(try service.ask("GET", "/readyz").status == 200)
    }

    private static let canMount: Bool = {
        let folder = "/tmp/sealerd-mount-\(getpid())"
        let line = "mkdir \(folder) && mount -t tmpfs none \(folder) && umount \(folder); status=$?; rmdir \(folder); exit $status"
        return (try? shell(line)) == 0
    }()

    /// No row can be written, and so nothing leased.
    @Test(.enabled(if: canMount, "where file systems may be mounted")) func theDiskIsFull() throws {
        let service = try RunningService(isStarted: false)
        try service.provision("chat")
        let disk = service.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        defer { _ = try? Self.shell("umount -l \(disk)") }
        let mount = "mount -t tmpfs -o size=4m,mode=700 none \(disk) && cp -a \(service.path("store"))/. \(disk)/store"
        #expect(try Self.shell(mount) == 0)
        let configuration = try String(contentsOfFile: service.path("configuration"), encoding: .utf8)
        try service.write(
            configuration.replacingOccurrences(of: "\(service.folder.path)/store", with: "\(disk)/store"), to: "configuration")
        _ = try Self.shell("dd if=/dev/zero of=\(disk)/filler bs=4k 2>/dev/null; true")
        try service.start()
        for reply in try ask(service) {
            #expect(status(ofItem: reply) == 503, "\(reply.text)")
            isClosed(reply, [503, 200], "full")
        }
        _ = try Self.shell("rm \(disk)/filler")
        #expect(try ask(service).map(status(ofItem:)) == [200, 200])
    }

    /// The library of cryptography, or the system's randomness, fails while the service runs.
    @Test(arguments: ["EVP_CipherUpdate", "getrandom", "EVP_PKEY_derive"])
    func theCryptographyFails(function: String) throws {
        let library = "/tmp/wrong-answers-\(UUID().uuidString).so"
        defer { try? FileManager.default.removeItem(atPath: library) }
        #expect(
            try Self.shell("cc -shared -fPIC -o \(library) \(wrongAnswers) -ldl || clang -shared -fPIC -o \(library) \(wrongAnswers) -ldl")
                == 0)
        // From a call on that lies behind the self-test of the process.
        for call in [200, 400, 800] {
            let variables = ["LD_PRELOAD": library, "WAXWING_TEST_WRONG": function, "WAXWING_TEST_FROM": "\(call)"]
            guard let service = try? RunningService(variables: variables) else { continue }
            try service.provision("chat", function == "EVP_PKEY_derive" ? .hpke7 : .dir)
            for _ in 0..<5 {
                guard let replies = try? ask(service) else { break }
                for reply in replies {
                    // Sealed wrongly or not at all, the text is not in it.
                    isClosed(reply, [200, 500, 503], function)
                }
            }
        }
    }

    private let wrongAnswers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CryptoFaults/wrong_answers.c").path

    private static func shell(_ line: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
