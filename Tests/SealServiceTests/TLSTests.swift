import Foundation
import Testing

/// TLS, and certificates instead of tokens; asked by curl, whose TLS is OpenSSL's.
@Suite struct TLSTests {
    private static let seal = #"{"conversation":"chat","body":"B"}"#

    /// An authority, a server's certificate, clients' of that authority and of another.
    private static func makeCertificates(in service: RunningService) throws {
        let script = """
            set -e; cd \(service.folder.path)
            authority() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout $1.key -out $1.pem -subj "/CN=$1"; }
            signed() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -out $1.csr -subj "/CN=$2"
              printf 'subjectAltName=IP:127.0.0.1' > $1.ext
              openssl x509 -req -in $1.csr -CA $3.pem -CAkey $3.key -CAcreateserial -days 2 -extfile $1.ext -out $1.pem; }
            authority ca; authority other
            signed server server ca; signed renewed renewed ca; signed client backend-1 ca; signed unknown backend-9 ca; signed forged backend-1 other
            chmod 600 *.key
            """
        #expect(try run("(\(script)) >/dev/null 2>&1") == "")
    }

    @discardableResult
    private static func run(_ line: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { process.waitUntilExit() }
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    private static func status(_ service: RunningService, _ port: UInt16, _ options: String) throws -> String {
        try run(
            "cd \(service.folder.path) && curl -s -o /dev/null -w '%{http_code}' --cacert ca.pem \(options) -H 'Content-Type: application/json' -d '\(seal)' https://127.0.0.1:\(port)/v1/seal"
        )
    }

    @Test func certificatesAreLookedAt() throws {
        let port = try RunningService.freePort()
        let tokens = try Tokens(["a": ["seal"]])
        let service = try RunningService(
            #""tokens":"\#(tokens.path)""#,
            prepare: { service in
                try Self.makeCertificates(in: service)
                let folder = service.folder.path
                let configuration = try String(contentsOfFile: service.path("configuration"), encoding: .utf8)
                let place =
                    #"{"tcp":"127.0.0.1:\#(port)","certificate":"\#(folder)/server.pem","private_key":"\#(folder)/server.key","client_authority":"\#(folder)/ca.pem","clients":[{"name":"backend-1","scopes":["seal"]}]}"#
                try service.write(
                    configuration.replacingOccurrences(of: #""listen":["#, with: #""listen":[\#(place),"#), to: "configuration")
            })
        try service.provision("chat")
        let bearer = "-H 'Authorization: Bearer \(tokens.texts["a"] ?? "")'"
        #expect(try Self.status(service, port, "--cert client.pem --key client.key") == "200")
        // What libmicrohttpd lets in: none, one of nobody we know, one that is signed and not on the list.
        #expect(try Self.status(service, port, "") == "401")
        #expect(try Self.status(service, port, "--cert forged.pem --key forged.key") == "401")
        #expect(try Self.status(service, port, "--cert unknown.pem --key unknown.key") == "403")
        #expect(try Self.status(service, port, bearer) == "200")
        #expect(try Self.status(service, port, "--cert unknown.pem --key unknown.key \(bearer)") == "200")
        #expect(try Self.status(service, port, "--tls-max 1.1 \(bearer)") == "000")
        // In the clear nothing is said.
        #expect(try Self.run("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:\(port)/healthz; true") == "000")

        // Another certificate in its place, without a connection lost: one that asks all the while is answered each time.
        func name() throws -> String {
            try Self.run("openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | grep '^subject'")
        }
        #expect(try name().contains("CN = server"))
        try Self.run("cd \(service.folder.path) && cp renewed.pem server.pem && cp renewed.key server.key")
        service.signal(SIGHUP)
        try service.waitForLog(#""event":"reloaded""#)
        for _ in 0..<10 {
            #expect(try Self.status(service, port, bearer) == "200")
            #expect(try name().contains("CN = renewed"))
        }
        // One that does not belong to its key changes nothing.
        try Self.run("cd \(service.folder.path) && cp client.key server.key")
        service.signal(SIGHUP)
        try service.waitForLog(#""event":"not-reloaded""#)
        #expect(try Self.status(service, port, bearer) == "200")
        service.signal(SIGTERM)
        #expect(service.end() == 0)
    }

    @Test func aPrivateKeyThatOthersCanReadIsRefused() throws {
        let service = try RunningService(
            isStarted: false,
            prepare: { service in
                try Self.makeCertificates(in: service)
                try Self.run("chmod 644 \(service.path("server.key"))")
                let folder = service.folder.path
                try service.write(
                    #"{"store":"\#(folder)/store","listen":[{"tcp":"127.0.0.1:0","certificate":"\#(folder)/server.pem","private_key":"\#(folder)/server.key","client_authority":"\#(folder)/ca.pem","clients":[{"name":"b","scopes":["seal"]}]}]}"#,
                    to: "configuration")
            })
        #expect(try service.outcome() == 78)
        #expect(service.log.contains("server.key: mode 0644 lets others read it"))
    }
}
