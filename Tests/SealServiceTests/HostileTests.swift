import EnvelopeFormat
import Foundation
import TestSupport
import Testing

/// Clients that are slow, greedy or wrong: others go on being served, and who can be answered is answered clearly.
@Suite struct HostileTests {
    private let seal = #"{"conversation":"chat","body":"B"}"#

    /// A service that waits for nobody long.
    private func service(_ limits: String = "", variables: [String: String] = [:]) throws -> RunningService {
        let service = try RunningService(
            #""limits":{"idle_seconds":2,"body_seconds":2\#(limits.isEmpty ? "" : ",\(limits)")}"#, variables: variables)
        try service.provision("chat")
        return service
    }

    private func isServed(_ service: RunningService) throws -> Bool { try service.ask("POST", "/v1/seal", seal).status == 200 }

    /// A byte now and then is not silence, and does not keep a connection.
    @Test func aHeadThatDripsIsCut() throws {
        let service = try service()
        let slow = try (0..<20).map { _ in try service.client() }
        for letter in "POST /v1/seal HTTP/1.1\r\nHost: x\r\nX-Slow: yyyyyyyyyyyyyyyyyyyy" {
            if slow.allSatisfy({ !$0.send(String(letter)) }) { break }
            #expect(try isServed(service))
            usleep(100_000)
        }
        for client in slow { #expect(try client.isClosed()) }
        #expect(try isServed(service))
    }

    @Test func aBodyThatDripsIsAnswered() throws {
        let service = try service()
        let slow = try (0..<20).map { _ in try service.client() }
        for client in slow { client.sendHead("POST", "/v1/seal", bodyCount: 1_000) }
        for _ in 0..<50 {
            if slow.allSatisfy({ !$0.send(" ") }) { break }
            #expect(try isServed(service))
            usleep(100_000)
        }
        for client in slow {
            let reply = try client.reply()
            #expect(reply.status == 408 && reply.problem == "timed-out" && reply.headers["connection"] == "close")
            #expect(try client.isClosed())
        }
        #expect(try isServed(service))
    }

    @Test func aBodyThatIsTooLongIsRefused() throws {
        let service = try service(#""body_bytes":65536"#)
        // Said in advance: refused before any of it is sent.
        let said = try service.client()
        said.sendHead("POST", "/v1/seal", bodyCount: 65_537)
        let reply = try said.reply()
        #expect(reply.status == 413 && reply.problem == "too-large")
        // In chunks, of which nobody knows how many there will be.
        let chunked = try service.client()
        chunked.send("POST /v1/seal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "4000\r\n" + String(repeating: " ", count: 0x4000) + "\r\n"
        for _ in 0..<5 { chunked.send(chunk) }
        chunked.send("0\r\n\r\n")
        #expect(try chunked.reply().status == 413)
        // The largest that is taken.
        let padded = seal + String(repeating: " ", count: 65_536 - seal.utf8.count)
        #expect(try service.ask("POST", "/v1/seal", padded).status == 200)
        #expect(try isServed(service))
    }

    /// What goes on for ever is cut, answered or not.
    @Test func aBodyWithoutEndIsCut() throws {
        let service = try service(#""body_bytes":65536"#)
        let client = try service.client()
        client.send("POST /v1/seal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
        var chunks = 0
        while client.send(chunk), chunks < 100_000 {
            chunks += 1
            usleep(1_000)
        }
        #expect(chunks < 100_000)
        #expect(try service.residentByteCount < 200_000_000)
        #expect(try isServed(service))
    }

    @Test func requestsInARowAreAnsweredInOrder() throws {
        let service = try service()
        let client = try service.client()
        let head = "POST /v1/seal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
        var sent = ""
        for index in 0..<50 {
            let body = index % 3 == 2 ? "{" : #"{"conversation":"chat","body":"\#(index)"}"#
            sent += head + "\(body.utf8.count)\r\n\r\n" + body
        }
        sent += "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        client.send(sent)
        for index in 0..<50 { #expect(try client.reply().status == (index % 3 == 2 ? 400 : 200)) }
        #expect(try client.reply().text == #"{"status":"ok"}"#)
    }

    @Test func whatIsNoRequestIsRefused() throws {
        let service = try service()
        let cases: [(String, Int)] = [
            ("POST /v1/seal HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415),
            ("POST /v1/seal HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 415),
            ("GET /v1/seal HTTP/1.1\r\nHost: x\r\n\r\n", 405), ("PATCH /v1/devices HTTP/1.1\r\nHost: x\r\n\r\n", 405),
            ("GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n", 404), ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404),
            ("GET /v1/devices/%ZZ HTTP/1.1\r\nHost: x\r\n\r\n", 404), ("GET /v1/devices/%C3 HTTP/1.1\r\nHost: x\r\n\r\n", 404),
            ("GET /v1//devices HTTP/1.1\r\nHost: x\r\n\r\n", 404), ("GET /v1/devices/ HTTP/1.1\r\nHost: x\r\n\r\n", 404),
            ("GET /healthz HTTP/1.1\r\n\r\n", 400),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 413),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + String(repeating: "y", count: 20_000) + "\r\n\r\n", 431),
        ]
        for (text, status) in cases {
            let client = try service.client()
            client.send(text)
            let reply = try? client.reply()
            #expect(reply?.status == status, "\(text.prefix(60)): \(reply?.status ?? 0)")
            if status == 405 { #expect(reply?.headers["allow"]?.isEmpty == false) }
        }
        let nonsense = try service.client()
        nonsense.send("NONSENSE\r\n\r\n")
        #expect(try nonsense.isClosed())
        #expect(try service.ask("HEAD", "/healthz").status == 200)
        #expect(try isServed(service))
    }

    /// More connections than there may be, all of them idle: the oldest make room.
    @Test func idleConnectionsKeepNobodyOut() throws {
        let service = try RunningService(#""limits":{"connections":200,"idle_seconds":600}"#)
        try service.provision("chat")
        let idle = try (0..<TestAmount.rounds(400, slow: 10_000)).map { _ in try service.client() }
        for _ in 0..<20 { #expect(try isServed(service)) }
        #expect(try idle[0].isClosed())
        withExtendedLifetime(idle) {}
    }

    /// Of a caller that asks too much some are told so, nobody else is, and all is as before afterwards.
    @Test func whoAsksTooMuchIsToldSo() throws {
        let port = try RunningService.freePort()
        let tokens = try Tokens(["greedy": ["seal"], "modest": ["seal"]])
        let service = try RunningService(
            listen: [#"{"tcp":"127.0.0.1:\#(port)"}"#],
            #""tokens":"\#(tokens.path)","limits":{"requests_of_caller":4,"workers":1,"queue":16}"#)
        try service.provision("chat", .hpke7)
        let batch = #"{"requests":[\#((0..<200).map { _ in seal }.joined(separator: ","))]}"#
        func ask(_ name: String) throws -> HTTPClient {
            let client = try HTTPClient(.tcp(port))
            client.sendHead("POST", "/v1/seal/batch", ["Authorization: Bearer \(tokens.texts[name] ?? "")"], bodyCount: batch.utf8.count)
            client.send(batch)
            return client
        }
        let greedy = try (0..<20).map { _ in try ask("greedy") }
        let modest = try ask("modest")
        let replies = try greedy.map { try $0.reply() }
        #expect(Set(replies.map(\.status)) == [200, 429])
        for reply in replies where reply.status == 429 {
            #expect(reply.problem == "too-many-requests" && reply.headers["retry-after"] == "1")
        }
        #expect(try modest.reply().status == 200)
        #expect(try ask("greedy").reply().status == 200)
    }

    @Test func aFullLineIsToldSo() throws {
        let service = try RunningService(#""limits":{"workers":1,"queue":2}"#)
        try service.provision("chat", .hpke7)
        let batch = #"{"requests":[\#((0..<200).map { _ in seal }.joined(separator: ","))]}"#
        let clients = try (0..<20).map { _ in
            let client = try service.client()
            client.sendHead("POST", "/v1/seal/batch", bodyCount: batch.utf8.count)
            client.send(batch)
            return client
        }
        let replies = try clients.map { try $0.reply() }
        #expect(Set(replies.map(\.status)) == [200, 503])
        for reply in replies where reply.status == 503 { #expect(reply.problem == "overloaded" && reply.headers["retry-after"] != nil) }
        #expect(try service.ask("POST", "/v1/seal", seal).status == 200)
    }

    /// Clients that go away in the middle of anything leave nothing behind.
    @Test func whoGoesAwayIsForgotten() throws {
        let service = try service()
        for index in 0..<200 {
            let client = try service.client()
            switch index % 4 {
            case 0: client.send("POST /v1/se")
            case 1: client.sendHead("POST", "/v1/seal", bodyCount: 100)
            case 2:
                client.sendHead("POST", "/v1/seal", bodyCount: seal.utf8.count)
                client.send(seal)
            default:
                let batch = #"{"requests":[\#((0..<50).map { _ in seal }.joined(separator: ","))]}"#
                client.sendHead("POST", "/v1/seal/batch", bodyCount: batch.utf8.count)
                client.send(batch)
            }
        }
        #expect(try isServed(service))
        service.signal(SIGTERM)
        #expect(service.end() == 0)
    }
}
