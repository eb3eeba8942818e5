import EnvelopeFormat
import Foundation
import Testing

/// What happens to a service while it runs: signals, new tokens, new certificates, its end.
@Suite struct ChangeTests {
    private let seal = #"{"conversation":"chat","body":"B"}"#

    /// What runs is answered, nothing new is taken, and the process ends by itself.
    @Test func itIsStoppedOnceAllIsAnswered() throws {
        let service = try RunningService()
        try service.provision("chat", .hpke7)
        let batch = #"{"requests":[\#((0..<1_000).map { _ in seal }.joined(separator: ","))]}"#
        let clients = try (0..<4).map { _ in
            let client = try service.client()
            client.sendHead("POST", "/v1/seal/batch", bodyCount: batch.utf8.count)
            client.send(batch)
            return client
        }
        let idle = try service.client()
        #expect(try idle.ask("GET", "/healthz").status == 200)
        // Once all of them are in.
        while try service.ask("GET", "/metrics").text.contains("waxwing_seals_total{outcome=\"sealed\"}") == false { usleep(1_000) }
        service.signal(SIGTERM)
        for client in clients {
            let reply = try client.reply()
            guard case .array(let results)? = reply.json["results"] else { return #expect(Bool(false), "\(reply.status)") }
            #expect(results.count == 1_000 && results.allSatisfy { $0["status"]?.plainInteger == 200 })
        }
        #expect(try idle.isClosed())
        #expect(service.end() == 0)
        #expect(throws: POSIXError.self) { try service.client() }
        #expect(!FileManager.default.fileExists(atPath: service.socket))
        // What was leased and not used is the store's again.
        #expect(service.log.contains(#""event":"stopped","answered_all":true"#))
    }

    @Test func itBeginsWhereAnotherWasKilled() throws {
        let service = try RunningService()
        try service.provision("chat")
        service.signal(SIGKILL)
        #expect(service.end() == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: service.socket))
        let second = try RunningService(
            isStarted: false,
            prepare: { second in
                try FileManager.default.copyItem(atPath: service.path("configuration"), toPath: second.path("theirs"))
            })
        _ = second
        let again = Process()
        again.executableURL = RunningService.program
        again.arguments = ["--config", service.path("configuration")]
        again.standardError = FileHandle.nullDevice
        try again.run()
        defer {
            kill(again.processIdentifier, SIGKILL)
            again.waitUntilExit()
        }
        var status = 0
        for _ in 0..<500 where status != 200 {
            status = (try? service.ask("POST", "/v1/seal", seal).status) ?? 0
            usleep(10_000)
        }
        #expect(status == 200)
        // A third does not take the socket of one that lives.
        let third = Process()
        third.executableURL = RunningService.program
        third.arguments = ["--config", service.path("configuration")]
        let output = Pipe()
        third.standardError = output
        try third.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        third.waitUntilExit()
        #expect(third.terminationStatus == 78 && said.contains("another process listens there"))
    }

    @Test func tokensAreReadAnew() throws {
        let port = try RunningService.freePort()
        let tokens = try Tokens(["old": ["seal"]])
        let service = try RunningService(listen: [#"{"tcp":"127.0.0.1:\#(port)"}"#], #""tokens":"\#(tokens.path)""#)
        try service.provision("chat")
        let kept = try HTTPClient(.tcp(port))
        func status(_ token: String?) throws -> Int {
            try kept.ask("GET", "/v1/devices", headers: ["Authorization: Bearer \(token ?? "")"]).status
        }
        let fresh = try Tokens(["new": ["provision"]])
        #expect(
            try HTTPClient(.tcp(port)).ask("GET", "/v1/devices", headers: ["Authorization: Bearer \(fresh.texts["new"] ?? "")"]).status
                == 401)
        try FileManager.default.removeItem(atPath: tokens.path)
        try FileManager.default.copyItem(atPath: fresh.path, toPath: tokens.path)
        service.signal(SIGHUP)
        try service.waitForLog(#""event":"reloaded""#)
        #expect(
            try HTTPClient(.tcp(port)).ask("GET", "/v1/devices", headers: ["Authorization: Bearer \(fresh.texts["new"] ?? "")"]).status
                == 200)
        #expect(
            try HTTPClient(.tcp(port)).ask("POST", "/v1/seal", seal, headers: ["Authorization: Bearer \(tokens.texts["old"] ?? "")"]).status
                == 401)
        // What cannot be read changes nothing.
        try Data("{".utf8).write(to: URL(fileURLWithPath: tokens.path))
        service.signal(SIGHUP)
        try service.waitForLog(#""event":"not-reloaded""#)
        #expect(
            try HTTPClient(.tcp(port)).ask("GET", "/v1/devices", headers: ["Authorization: Bearer \(fresh.texts["new"] ?? "")"]).status
                == 200)
    }

    /// Sockets come from systemd, by name; readiness is told it.
    @Test func socketsAreTakenOver() throws {
        let service = try RunningService(
            isStarted: false,
            prepare: { service in
                let configuration = try String(contentsOfFile: service.path("configuration"), encoding: .utf8)
                try service.write(
                    configuration.replacingOccurrences(of: #""unix":"\#(service.socket)","mode":"0666""#, with: #""inherited":"api""#),
                    to: "configuration")
            })
        try service.provision("chat")
        let script = """
            import os, socket, sys
            folder, program = sys.argv[1:]
            listening = socket.socket(socket.AF_UNIX); listening.bind(folder + "/s"); listening.listen(16)
            told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); told.bind(folder + "/notify"); told.settimeout(30)
            child = os.fork()
            if child == 0:
                os.dup2(listening.fileno(), 3); os.set_inheritable(3, True)
                os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="api", NOTIFY_SOCKET=folder + "/notify")
                os.execv(program, [program, "--config", folder + "/configuration"])
            assert told.recv(100) == b"READY=1"
            client = socket.socket(socket.AF_UNIX); client.connect(folder + "/s")
            body = b'{"conversation":"chat","body":"B"}'
            client.sendall(b"POST /v1/seal HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
            assert client.recv(100).startswith(b"HTTP/1.1 200"), "not sealed"
            os.kill(child, 15)
            assert told.recv(100) == b"STOPPING=1"
            assert os.waitpid(child, 0)[1] == 0
            assert os.path.exists(folder + "/s"), "the socket is systemd's"
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, service.folder.path, RunningService.program.path]
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: service.path("log")))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(service.log)")
    }
}
