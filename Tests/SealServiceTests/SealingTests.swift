import EnvelopeFormat
import Foundation
import KeyStore
import Sealer
import Testing

/// What a backend asks for, over a Unix socket.
@Suite struct SealingTests {
    private func request(_ conversation: String, _ body: String, _ members: String = "") -> String {
        #"{"conversation":"\#(conversation)","body":"\#(body)"\#(members.isEmpty ? "" : ",\(members)")}"#
    }

    private func identifiers(_ reply: HTTPReply) -> [String] {
        guard case .array(let payloads)? = reply.json["payloads"] else { return [] }
        return payloads.compactMap { $0["jti"]?.text }
    }

    @Test func itSealsAsTheLibraryDoes() throws {
        let service = try RunningService()
        try service.provision("chat")
        let reply = try service.ask(
            "POST", "/v1/seal", request("chat", "See you at 6", #""apns":{"topic":"com.example","collapse_id":"c"}"#))
        #expect(reply.status == 200)
        guard case .array(let payloads)? = reply.json["payloads"], let payload = payloads.first else {
            Issue.record("no payloads: \(reply.text)")
            return
        }
        let bytes = try #require(Base64.decode(payload["payload_base64"]?.text ?? ""))
        #expect(try JSONValue.parse(bytes) == payload["payload"])
        #expect(payload["bytes"]?.plainInteger == Int64(bytes.count) && payload["bytes_left"]?.plainInteger == Int64(4_096 - bytes.count))
        #expect(payload["headers"]?["apns-topic"]?.text == "com.example" && payload["headers"]?["apns-collapse-id"]?.text == "c")
        let expiration = try #require(payload["headers"]?["apns-expiration"]?.text.flatMap { Int64($0) })
        #expect((RunningService.now + 29 * 86_400...RunningService.now + 31 * 86_400).contains(expiration))
        let active = try service.store.conversation(try ConversationIdentifier("chat")).active
        #expect(payload["kid"]?.text == active?.description)
        #expect(!reply.text.contains("See you"))
    }

    @Test func eachMemberHasAPayloadWithHPKE() throws {
        let service = try RunningService()
        let phone = try service.provision("chat", .hpke7)
        let reply = try service.ask("POST", "/v1/seal", request("chat", "B", #""platform":"both""#))
        guard case .array(let payloads)? = reply.json["payloads"] else { return #expect(Bool(false)) }
        #expect(payloads.map { $0["platform"]?.text } == ["apns", "fcm"] && payloads.allSatisfy { $0["device"]?.text == phone.string })
        #expect(Set(identifiers(reply)).count == 1)
    }

    /// Order kept, each with its own result; what is wrong in the middle fails alone.
    @Test func aBatchKeepsItsOrder() throws {
        let service = try RunningService()
        for name in ["a", "b"] { try service.provision(name) }
        let requests = [
            request("a", "1"), request("b", "2"), request("nobody", "3"), #"{"conversation":"a","colour":"red"}"#, "7", request("a", "6"),
            request("b", String(repeating: "x", count: 9_000), #""overflow":"error""#), request("b", "8"),
        ]
        let reply = try service.ask("POST", "/v1/seal/batch", #"{"requests":[\#(requests.joined(separator: ","))]}"#)
        guard case .array(let results)? = reply.json["results"] else { return #expect(Bool(false), "\(reply.text)") }
        #expect(reply.status == 200 && results.map { $0["status"]?.plainInteger } == [200, 200, 404, 422, 422, 200, 422, 200])
        #expect(results.map { $0["result"]?["conversation"]?.text } == ["a", "b", nil, nil, nil, "a", nil, "b"])
        #expect(results[6]["problem"]?["type"]?.text == "urn:waxwing:problem:does-not-fit")
        #expect(!reply.text.contains("xxxxxxxx"))
    }

    @Test func aThousandAreABatch() throws {
        let service = try RunningService()
        try service.provision("chat")
        func batch(_ count: Int) -> String {
            #"{"requests":[\#((0..<count).map { request("chat", "message \($0)") }.joined(separator: ","))]}"#
        }
        let reply = try service.ask("POST", "/v1/seal/batch", batch(1_000))
        guard case .array(let results)? = reply.json["results"] else { return #expect(Bool(false)) }
        #expect(results.count == 1_000 && results.allSatisfy { $0["status"]?.plainInteger == 200 })
        let more = try service.ask("POST", "/v1/seal/batch", batch(1_001))
        #expect(more.status == 413 && more.problem == "too-many-items")
        #expect(try service.ask("POST", "/v1/seal/batch", #"{"requests":[]}"#).text == #"{"results":[]}"#)
        #expect(try service.ask("POST", "/v1/seal/batch", #"{"requests":{}}"#).status == 422)
    }

    /// An answer that was lost is asked for again: the same key and content are the same message, on a new process too.
    @Test func aRetryIsTheSameMessage() throws {
        let port = try RunningService.freePort()
        let token = try Tokens(["alice": ["seal"], "bob": ["seal"]])
        let service = try RunningService(
            listen: [#"{"tcp":"127.0.0.1:\#(port)"}"#], #""tokens":"\#(token.path)""#)
        try service.provision("chat")
        let retried = request("chat", "B", #""idempotency_key":"order-7""#)
        let first = try service.ask("POST", "/v1/seal", retried)
        let second = try service.ask("POST", "/v1/seal", retried)
        #expect(identifiers(first) == identifiers(second) && identifiers(first).count == 1)
        // IV and payload are fresh.
        #expect(first.body != second.body)
        func batched(_ reply: HTTPReply) -> [String] {
            guard case .array(let results)? = reply.json["results"], case .array(let payloads)? = results.first?["result"]?["payloads"]
            else { return [] }
            return payloads.compactMap { $0["jti"]?.text }
        }
        #expect(batched(try service.ask("POST", "/v1/seal/batch", #"{"requests":[\#(retried)]}"#)) == identifiers(first))
        let others = [request("chat", "C", #""idempotency_key":"order-7""#), request("chat", "B", #""idempotency_key":"order-8""#)]
        var seen = Set(identifiers(first))
        for other in others { seen.formUnion(identifiers(try service.ask("POST", "/v1/seal", other))) }
        for name in ["alice", "bob"] {
            let header = "Authorization: Bearer \(try #require(token.texts[name]))"
            seen.formUnion(identifiers(try HTTPClient(.tcp(port)).ask("POST", "/v1/seal", retried, headers: [header])))
        }
        #expect(seen.count == 5)
        // Another process on the same store.
        let again = try PushSealer(try SealerStore(try Store.open(directory: service.path("store"))))
        let pushes = try again.seal(try SealRequest(parsing: Array(retried.utf8)), caller: "uid \(geteuid())", now: RunningService.now)
        #expect(pushes.map { "\($0.messageIdentifier)" } == identifiers(first))
    }

    /// A change by another process counts from the next request on.
    @Test func whatOthersChangeIsSeenAtOnce() throws {
        let service = try RunningService()
        try service.provision("chat")
        let name = try ConversationIdentifier("chat")
        let client = try service.client()
        func kid() throws -> String? {
            guard case .array(let payloads)? = try client.ask("POST", "/v1/seal", request("chat", "B")).json["payloads"] else { return nil }
            return payloads.first?["kid"]?.text
        }
        for _ in 0..<20 {
            let rotated = try service.store.ratchet(name, now: RunningService.now)
            #expect(try kid() == "\(rotated)")
        }
        _ = try service.store.suspend(name, now: RunningService.now)
        #expect(try client.ask("POST", "/v1/seal", request("chat", "B")).status == 409)
        _ = try service.store.resume(name, now: RunningService.now)
        let fresh = try #require(try service.store.revoke(name, now: RunningService.now).active)
        #expect(try kid() == "\(fresh)")
    }

    @Test func whatIsWrongIsNamed() throws {
        let service = try RunningService()
        try service.provision("chat")
        let cases: [(String, Int, String)] = [
            ("", 400, "malformed"), ("{", 400, "malformed"), (#"{"conversation":"chat","conversation":"chat"}"#, 400, "malformed"),
            (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), 400, "malformed"), ("[]", 422, "invalid"),
            (#"{"conversation":"chat"}"#, 422, "invalid"), (#"{"conversation":"","body":"B"}"#, 422, "invalid"),
            (request("nobody", "B"), 404, "not-found"), (request("chat", "B", #""device":"AAAA""#), 422, "invalid"),
            (request("chat", "B", #""limit":100"#), 422, "does-not-fit"),
        ]
        for (body, status, problem) in cases {
            let reply = try service.ask("POST", "/v1/seal", body)
            #expect(reply.status == status && reply.problem == problem, "\(body): \(reply.status) \(reply.text)")
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(reply.json["status"]?.plainInteger == Int64(status) && reply.json["title"]?.text?.isEmpty == false)
        }
        let client = try service.client()
        client.sendHead("POST", "/v1/seal", bodyCount: 30)
        client.send(Array(#"{"conversation":"chat","body":""#.utf8.prefix(28)) + [0xFF, 0x22])
        #expect(try client.reply().status == 400)
    }
}
