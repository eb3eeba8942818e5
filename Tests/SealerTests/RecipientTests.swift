import EnvelopeFormat
import Foundation
import KeyStore
import SealTestSupport
import Testing

@testable import Sealer

/// Whom one request is sealed to.
@Suite struct RecipientTests {
    let backend: Backend

    init() throws { backend = try Backend() }

    private func seal(_ conversation: String, _ members: String = "") throws -> [SealedPush] {
        try backend.sealer().seal(
            try request(#"{"conversation":"\#(conversation)","body":"B"\#(members)}"#), now: Backend.start)
    }

    @Test func everyMemberGetsAPayloadOfItsOwn() throws {
        let members = try backend.provision("pair", .hpke7, members: 3).members
        let pushes = try seal("pair", #","platform":"both""#)
        #expect(pushes.count == 6)
        for platform in [Platform.apns, .fcm] {
            #expect(Set(pushes.filter { $0.platform == platform }.compactMap(\.device)) == Set(members))
        }
        #expect(Set(pushes.map(\.messageIdentifier)).count == 1)
        #expect(Set(pushes.map(\.payload)).count == 6)
    }

    @Test func oneMemberIsChosenByAnUnambiguousStart() throws {
        let members = try backend.provision("pair", .hpke7, members: 2).members
        for member in members {
            #expect(try seal("pair", #","device":"\#(member)""#).map(\.device) == [member])
        }
        let both = members.map { Array($0.string) }
        let common = zip(both[0], both[1]).prefix { $0 == $1 }.count
        let start = String(both[1].prefix(common + 1))
        #expect(try seal("pair", #","device":"\#(start)""#).map(\.device) == [members[1]])
    }

    @Test func anAmbiguousStartIsRefused() throws {
        // Of 65 thumbprints two begin with the same character.
        let members = try backend.provision("crowd", .hpke7, members: 65).members
        let starts = Dictionary(grouping: members) { $0.string.prefix(1) }
        let start = try #require(starts.first { $0.value.count > 1 })
        let error = sealingError { _ = try seal("crowd", #","device":"\#(start.key)""#) }
        #expect(error == .store(KeyStoreError(.badInput, "device", "\(start.value.count) members begin so")))
    }

    @Test func nobodyIsNoMember() throws {
        try backend.provision("pair", .hpke7, members: 2)
        let stranger = try backend.enroll(1)[0]
        for device in [stranger.string, "", "!"] {
            let error = sealingError { _ = try seal("pair", #","device":"\#(device)""#) }
            #expect(error == .store(KeyStoreError(.notFound, "device", "not a member of conversation pair")))
        }
    }

    @Test func dirAndSplitAreForAllAndChooseNobody() throws {
        let member = try backend.provision("chat", .dir).members[0]
        try backend.provision("alarm", .split)
        for conversation in ["chat", "alarm"] {
            #expect(formatError { _ = try seal(conversation, #","device":"\#(member)""#) }?.field == "device")
        }
        #expect(try seal("chat").map(\.device) == [nil])
    }

    // MARK: Split

    @Test func splitCarriesABodyAndNothingElse() throws {
        try backend.provision("alarm", .split)
        let payload = try seal("alarm")[0].text
        let prefix =
            #"{"aps":{"alert":{"body":"New message"},"mutable-content":1},"type":"message","body":"New message","#
            + #""encrypted_payload":{"ciphertext":""#
        #expect(payload.hasPrefix(prefix) && payload.hasSuffix(#""}}"#))
        for members in [
            #","title":"T""#, #","subtitle":"S""#, #","thread":"t""#, #","data":{}"#, #","category":"c""#,
            #","image":{"url":"https://example.org"}"#, #","loc_body":{"key":"k","args":{}}"#,
            #","expires":\#(Backend.start + 60)"#,
        ] {
            #expect(formatError { _ = try seal("alarm", members) }?.field == "request", "\(members)")
        }
        let noBody = formatError {
            _ = try backend.sealer().seal(try request(#"{"conversation":"alarm","title":"T"}"#), now: Backend.start)
        }
        #expect(noBody?.field == "request")
    }

    @Test func splitIsForAPNsAlone() throws {
        try backend.provision("alarm", .split)
        for platform in ["fcm", "both"] {
            #expect(formatError { _ = try seal("alarm", #","platform":"\#(platform)""#) }?.field == "platform")
        }
    }

    @Test func splitEndsAtItsDate() throws {
        try backend.provision("alarm", .split)
        let sealer = try backend.sealer(leasing: .doubling)
        let request = try request(#"{"conversation":"alarm","body":"B"}"#)
        let end = Backend.start + 86_400
        #expect(try sealer.seal(request, now: end).count == 1)
        // The key and its lease are at hand: it is the date that refuses.
        let error = sealingError { _ = try sealer.seal(request, now: end + 1) }
        #expect(error == .store(KeyStoreError(.refused, "conversation alarm", "its end date has passed")))
    }

    // MARK: Idempotency

    @Test func theSameContentHasTheSameIdentifierEverywhere() throws {
        try backend.provision("chat", .dir)
        try backend.provision("other", .dir)
        func identifier(
            _ members: String = #""body":"B""#, conversation: String = "chat", key: String = "k", caller: String = "worker"
        ) throws -> MessageIdentifier {
            try backend.sealer(over: try backend.reopened()).seal(
                try request(#"{"conversation":"\#(conversation)",\#(members),"idempotency_key":"\#(key)"}"#), caller: caller,
                now: Backend.start + Int64.random(in: 0...1_000))[0].messageIdentifier
        }
        let first = try identifier()
        #expect(try identifier() == first)
        // What is around the seal is no content, and neither is the order in which it was asked for.
        #expect(try identifier(#""aps":{"badge":1},"body":"B","padding":"none","type":"x""#) == first)
        let worker = try WorkerProcess(store: backend.directory)
        let answer = try worker.ask(
            #"seal \#(Backend.start + 5) {"conversation":"chat","body":"B","idempotency_key":"k"}"#)
        #expect(answer.first?.split(separator: " ")[2] == first.description[...])
        let others = [
            try identifier(#""body":"C""#), try identifier(#""title":"B""#), try identifier(#""body":"B","data":{}"#),
            try identifier(#""body":"B","expires":\#(Backend.start + 5_000)"#),
            try identifier(conversation: "other"), try identifier(key: "l"), try identifier(caller: "workers"),
            try identifier(key: " "),
        ]
        #expect(throws: FormatError(field: "idempotency_key", reason: "empty")) { try identifier(key: "") }
        #expect(Set(others + [first]).count == others.count + 1)
    }

    @Test func aResendIsSealedAnew() throws {
        try backend.provision("chat", .dir)
        try backend.provision("pair", .hpke7)
        for conversation in ["chat", "pair"] {
            let pushes = try (0..<2).map { _ in try seal(conversation, #","idempotency_key":"k""#)[0] }
            #expect(pushes[0].messageIdentifier == pushes[1].messageIdentifier)
            let sealed = pushes.map { $0.text.components(separatedBy: ".") }
            // No part but the protected header is the same twice.
            for part in 1..<sealed[0].count - 1 where !sealed[0][part].isEmpty { #expect(sealed[0][part] != sealed[1][part]) }
        }
    }

    @Test func withoutAKeyEveryMessageHasAnIdentifierOfItsOwn() throws {
        try backend.provision("chat", .dir)
        let identifiers = try (0..<50).map { _ in try seal("chat")[0].messageIdentifier }
        #expect(Set(identifiers).count == 50)
    }
}
