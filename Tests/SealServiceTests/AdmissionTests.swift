import Foundation
import KeyStore
import Testing

/// Who is let in, and for what.
@Suite struct AdmissionTests {
    private let seal = #"{"conversation":"chat","body":"B"}"#

    @Test func tokensHaveScopes() throws {
        let port = try RunningService.freePort()
        let tokens = try Tokens(["sealer": ["seal"], "all": ["seal", "provision", "admin"]])
        let service = try RunningService(listen: [#"{"tcp":"127.0.0.1:\#(port)"}"#], #""tokens":"\#(tokens.path)""#)
        try service.provision("chat")
        func status(_ header: String?, _ method: String = "POST", _ path: String = "/v1/seal") throws -> (Int, String?) {
            let reply = try HTTPClient(.tcp(port)).ask(
                method, path, method == "POST" ? seal : nil, headers: header.map { ["Authorization: \($0)"] } ?? [])
            return (reply.status, reply.problem)
        }
        let sealer = "Bearer \(try #require(tokens.texts["sealer"]))"
        let all = "Bearer \(try #require(tokens.texts["all"]))"
        #expect(try status(sealer).0 == 200)
        #expect(try status(sealer, "GET", "/v1/devices") == (403, "forbidden"))
        #expect(try status(sealer, "GET", "/metrics") == (403, "forbidden"))
        #expect(try status(all, "GET", "/metrics").0 == 200)
        #expect(try status(all, "GET", "/v1/devices").0 == 200)
        for wrong in [
            nil, "", "Bearer", "Bearer ", sealer + "x", String(sealer.dropLast()), "Basic eDp5",
            sealer.replacingOccurrences(of: "Bearer", with: "bearer "),
        ] {
            #expect(try status(wrong) == (401, "unauthenticated"), "\(wrong ?? "none")")
        }
        // Whether it lives is no secret.
        #expect(try status(nil, "GET", "/healthz").0 == 200)
        let file = try String(contentsOfFile: "\(tokens.path)", encoding: .utf8)
        for text in tokens.texts.values { #expect(!file.contains(text) && !service.log.contains(text)) }
    }

    @Test(.enabled(if: geteuid() == 0)) func theKernelTellsUsersAndGroups() throws {
        let service = try RunningService(prepare: { service in
            try service.write(
                #"{"store":"\#(service.path("store"))","listen":[{"unix":"\#(service.socket)","mode":"0666","allow":[{"uid":0,"scopes":["seal"]},{"uid":61001,"scopes":["seal"]},{"gid":61009,"scopes":["provision"]}]}]}"#,
                to: "configuration")
        })
        try service.provision("chat")
        func status(_ user: String, _ arguments: String) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", "setpriv \(user) curl -s -o /dev/null -w '%{http_code}' --unix-socket \(service.socket) \(arguments)",
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            defer { process.waitUntilExit() }
            return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let sealing = "http://x/v1/seal -H 'Content-Type: application/json' -d '\(seal)'"
        #expect(try status("--reuid 61001 --regid 61001 --clear-groups", sealing) == "200")
        #expect(try status("--reuid 61001 --regid 61001 --clear-groups", "http://x/v1/devices") == "403")
        #expect(try status("--reuid 61003 --regid 61003 --groups 61009", "http://x/v1/devices") == "200")
        #expect(try status("--reuid 61003 --regid 61009 --clear-groups", "http://x/v1/devices") == "200")
        #expect(try status("--reuid 61003 --regid 61009 --clear-groups", sealing) == "403")
        #expect(try status("--reuid 61003 --regid 61003 --clear-groups", sealing) == "403")
        #expect(try status("--reuid 61003 --regid 61003 --clear-groups", "http://x/healthz") == "200")
    }

    /// What would let anybody in, or send messages in the clear, does not begin, and says why.
    @Test(arguments: [
        (#"{"tcp":"127.0.0.1:0"}"#, "", "neither tokens nor client_authority: anybody could call"),
        (#"{"tcp":"0.0.0.0:0"}"#, #""tokens":"TOKENS""#, "beyond this machine tokens and messages would travel in the clear"),
        (#"{"tcp":"[::]:0"}"#, #""tokens":"TOKENS""#, "beyond this machine tokens and messages would travel in the clear"),
        (#"{"tcp":"0.0.0.0:0","certificate":"c","private_key":"k"}"#, "", "neither tokens nor client_authority"),
        (#"{"tcp":"localhost:0"}"#, #""tokens":"TOKENS""#, "not the number of an address"),
        (#"{"unix":"/tmp/x"}"#, "", "nobody could call over this socket"), (#"{"unix":"x","allow":[]}"#, "", "not an absolute path"),
        (#"{"unix":"/tmp/x","mode":"777","allow":[{"uid":0,"scopes":["seal"]}]}"#, "", "not a mode of a socket"),
        (#"{"unix":"/tmp/x","allow":[{"uid":0,"scopes":[]}]}"#, "", "one scope at least"),
        (#"{"unix":"/tmp/x","allow":[{"uid":0,"scopes":["root"]}]}"#, "", "none of seal, provision, admin"),
        (#"{"unix":"/tmp/x","allow":[{"uid":0,"gid":0,"scopes":["seal"]}]}"#, "", "one of uid and gid is needed"),
        (#"{"inherited":"x","allow":[{"uid":0,"scopes":["seal"]}]}"#, "", "no socket named x was handed over"),
        (#"{"tcp":"127.0.0.1:0","colour":1}"#, "", "unknown member colour"), (#"{}"#, "", "one of unix, tcp and inherited is needed"),
        (#"{"tcp":"127.0.0.1:0","client_authority":"x"}"#, "", "it goes with a certificate"),
        (#"{"tcp":"127.0.0.1:0"}"#, #""tokens":"/nowhere""#, "/nowhere: it cannot be read"),
    ])
    func whatWouldLetAnybodyInDoesNotBegin(listen: String, members: String, reason: String) throws {
        let tokens = try Tokens(["a": ["seal"]])
        let service = try RunningService(
            listen: [listen], members.replacingOccurrences(of: "TOKENS", with: tokens.path), isStarted: false)
        #expect(try service.outcome() == 78)
        #expect(service.log.contains(reason), "\(service.log)")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/x"))
    }

    @Test func aConfigurationThatOthersCouldChangeIsRefused() throws {
        let service = try RunningService(
            isStarted: false,
            prepare: { service in
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: service.path("configuration"))
            })
        #expect(try service.outcome() == 78)
        #expect(service.log.contains("mode 0666 lets others change it"))
    }
}
