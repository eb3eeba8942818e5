import CryptoPrimitives
import EnvelopeFormat
import Foundation
import KeyStore
import Testing

/// The life of a conversation over HTTP, from a phone's enrollment to its removal.
@Suite struct ProvisioningTests {
    private func document(_ name: String) throws -> String {
        let document = try EnrollmentDocument(
            publicKey: P256.KeyAgreement.PrivateKey().publicKey, enrollmentSecret: SymmetricKey(size: .bits256), name: name)
        return String(decoding: document.json(), as: UTF8.self)
    }

    @Test func aConversationFromBeginningToEnd() throws {
        let service = try RunningService()
        let first = try document("first")
        let enrolled = try service.ask("POST", "/v1/devices", first)
        let phone = try #require(enrolled.json["device"]?.text)
        #expect(enrolled.status == 201 && enrolled.json["new"] == .bool(true))
        #expect(try service.ask("POST", "/v1/devices", first).status == 200)
        #expect(try service.ask("GET", "/v1/devices/\(phone.prefix(12))").json["name"]?.text == "first")

        // A name with a slash travels percent-encoded.
        let wanted = #"{"conversation":"team/1","alg":"HPKE-7","devices":["\#(phone)"]}"#
        let made = try service.ask("POST", "/v1/conversations", wanted)
        #expect(made.status == 201 && made.json["alg"]?.text == "HPKE-7")
        #expect(try service.ask("POST", "/v1/conversations", wanted).status == 200)
        let other = try service.ask("POST", "/v1/conversations", #"{"conversation":"team/1"}"#)
        #expect(other.status == 409 && other.problem == "conflict")
        #expect(try service.ask("GET", "/v1/conversations/team%2F1").json["kid"] == made.json["kid"])
        #expect(try service.ask("GET", "/v1/conversations/team/1").status == 404)

        let bundles = try service.ask("GET", "/v1/devices/\(phone)/bundles")
        guard case .array(let waiting)? = bundles.json["bundles"], let sequence = waiting.first?["seq"]?.plainInteger else {
            return #expect(Bool(false), "\(bundles.text)")
        }
        #expect(waiting.count == 1 && waiting[0]["bundle"]?.text?.split(separator: ".", omittingEmptySubsequences: false).count == 5)
        #expect(try service.ask("POST", "/v1/devices/\(phone)/bundles/\(sequence)/ack").json["acknowledged"]?.plainInteger == sequence)
        #expect(try service.ask("POST", "/v1/devices/\(phone)/bundles/\(sequence)/ack").status == 200)
        #expect(try service.ask("POST", "/v1/devices/\(phone)/bundles/1/ack").status == 404)
        #expect(try service.ask("POST", "/v1/devices/\(phone)/bundles/x/ack").status == 422)
        #expect(try service.ask("GET", "/v1/devices/\(phone)/bundles").text == #"{"bundles":[]}"#)

        let second = try #require(try service.ask("POST", "/v1/devices", try document("second")).json["device"]?.text)
        let joined = try service.ask("POST", "/v1/conversations/team%2F1/members", #"{"device":"\#(second)"}"#)
        guard case .array(let members)? = joined.json["members"] else { return #expect(Bool(false), "\(joined.text)") }
        #expect(Set(members.compactMap { $0["device"]?.text }) == [phone, second])

        let stepped = try service.ask("POST", "/v1/conversations/team%2F1/rotate", "{}")
        #expect(stepped.status == 200 && stepped.json["kid"] != made.json["kid"] && stepped.json["waiting"] == .null)
        let rekeyed = try service.ask("POST", "/v1/conversations/team%2F1/rotate", #"{"rekey":true,"promote_after":60}"#)
        #expect(rekeyed.json["kid"] == stepped.json["kid"] && rekeyed.json["waiting"]?.text != nil)
        #expect(try service.ask("POST", "/v1/conversations/team%2F1/rotate", #"{"rekey":true}"#).problem == "refused")
        #expect(try service.ask("POST", "/v1/conversations/team%2F1/rotate", #"{"restart":true}"#).status == 422)

        let left = try service.ask("DELETE", "/v1/conversations/team%2F1/members/\(second)")
        #expect(left.status == 200 && left.json["kid"] != rekeyed.json["kid"])
        let third = try service.ask("POST", "/v1/devices?replaces=\(phone)", try document("third"))
        #expect(third.status == 201 && third.json["replaced"]?.text == phone)
        #expect(try service.ask("DELETE", "/v1/devices/\(second)").json["removed"] == .bool(true))
        #expect(try service.ask("DELETE", "/v1/devices/\(second)").status == 404)
    }

    @Test func listsComeInParts() throws {
        let service = try RunningService()
        for index in 0..<5 { try service.provision("chat-\(index)") }
        var names: [String] = []
        var after: String?
        repeat {
            let reply = try service.ask("GET", "/v1/conversations?limit=2" + (after.map { "&after=\($0)" } ?? ""))
            guard case .array(let some)? = reply.json["conversations"] else { return #expect(Bool(false), "\(reply.text)") }
            #expect(some.count <= 2)
            names += some.compactMap { $0["conversation"]?.text }
            after = reply.json["next"]?.text
        } while after != nil
        #expect(names == (0..<5).map { "chat-\($0)" })
        guard case .array(let devices)? = try service.ask("GET", "/v1/devices").json["devices"] else { return #expect(Bool(false)) }
        #expect(devices.count == 5)
        for wrong in ["limit=0", "limit=10001", "limit=x", "after=%20"] {
            #expect(try service.ask("GET", "/v1/conversations?\(wrong)").status == 422, "\(wrong)")
        }
        #expect(try service.ask("GET", "/v1/conversations?colour=red").status == 422)
    }

    /// The enrollment secret is in no answer and no line of the log.
    @Test func secretsStayInside() throws {
        let service = try RunningService(#""log":"requests""#)
        let document = try document("first")
        let secret = try #require(try JSONValue.parse(Array(document.utf8))["enrollment_secret"]?.text)
        #expect(try !service.ask("POST", "/v1/devices", document).text.contains(secret))
        #expect(try !service.ask("POST", "/v1/devices", document.dropLast() + ",\"x\":1}").text.contains(secret))
        #expect(try !service.ask("POST", "/v1/seal", document).text.contains(secret))
        try service.waitForLog("/v1/seal")
        #expect(!service.log.contains(secret) && service.log.contains(#""route":"/v1/devices""#))
    }
}
