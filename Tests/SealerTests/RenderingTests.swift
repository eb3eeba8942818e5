import EnvelopeFormat
import KeyStore
import SealTestSupport
import Testing

@testable import Sealer

/// The exact bytes around what is sealed, and what goes beside them.
@Suite struct RenderingTests {
    let backend: Backend

    init() throws {
        backend = try Backend()
        try backend.provision("chat", .dir)
    }

    private func seal(_ members: String, now: Int64 = Backend.start) throws -> [SealedPush] {
        try backend.sealer().seal(try request(#"{"conversation":"chat","body":"B"\#(members)}"#), now: now)
    }

    private func alone(_ members: String) throws -> SealedPush {
        let pushes = try seal(members)
        try #require(pushes.count == 1)
        return pushes[0]
    }

    @Test(arguments: [
        (
            "",
            #"{"aps":{"alert":{"body":"New message"},"mutable-content":1},"type":"message","body":"New message","#
                + #""encrypted_payload":"*"}"#
        ),
        (
            #","type":"mail","placeholder":{"title":"Wax/wing","body":"Née \"x\"\u0001\n"}"#,
            #"{"aps":{"alert":{"title":"Wax/wing","body":"Née \"x\"\u0001\n"},"mutable-content":1},"#
                + #""type":"mail","body":"Née \"x\"\u0001\n","encrypted_payload":"*"}"#
        ),
        (
            #","placeholder":{"title_loc_key":"TK","loc_key":"BK"}"#,
            #"{"aps":{"alert":{"title-loc-key":"TK","loc-key":"BK"},"mutable-content":1},"type":"message","#
                + #""body":"New message","encrypted_payload":"*"}"#
        ),
        (
            #","placeholder":{"title":"T","loc_key":"BK"}"#,
            #"{"aps":{"alert":{"title":"T","loc-key":"BK"},"mutable-content":1},"type":"message","#
                + #""body":"New message","encrypted_payload":"*"}"#
        ),
        (
            #","placeholder":{"title_loc_key":"TK"}"#,
            #"{"aps":{"alert":{"title-loc-key":"TK","body":"New message"},"mutable-content":1},"#
                + #""type":"message","body":"New message","encrypted_payload":"*"}"#
        ),
        (
            #","image_url":"https://example.org/a","aps":{"relevance_score":0.50,"#
                + #""interruption_level":"active","thread_id":"t","#
                + #""category":"c","badge":0,"sound":{"critical":1}}"#,
            #"{"aps":{"alert":{"body":"New message"},"mutable-content":1,"sound":{"critical":1},"badge":0,"#
                + #""category":"c","#
                + #""thread-id":"t","interruption-level":"active","relevance-score":0.50},"type":"message","body":"New message","#
                + #""image_url":"https://example.org/a","encrypted_payload":"*"}"#
        ),
        (
            #","platform":"fcm","placeholder":{"title":"T","body":"P"},"image_url":"https://example.org/a","#
                + #""aps":{"badge":1}"#,
            #"{"message":{"data":{"type":"message","body":"P","image_url":"https://example.org/a","#
                + #""encrypted_payload":"*"},"android":{"priority":"HIGH"}}}"#
        ),
    ])
    func bytes(members: String, expected: String) throws {
        #expect(try alone(members).surroundings == expected)
    }

    @Test(arguments: [
        (#","aps":{"badge":"1"}"#, "aps.badge"), (#","aps":{"badge":1.5}"#, "aps.badge"),
        (#","aps":{"sound":1}"#, "aps.sound"), (#","aps":{"relevance_score":"1"}"#, "aps.relevance-score"),
        (#","type":"a b""#, "type"), (#","type":"""#, "type"), (#","image_url":"http://example.org""#, "image_url"),
    ])
    func whatCannotStandThereIsRefused(members: String, field: String) {
        #expect(formatError { _ = try seal(members) }?.field == field)
    }

    @Test func bothAreOneMessage() throws {
        let pushes = try seal(#","platform":"both""#)
        #expect(pushes.map(\.platform) == [.apns, .fcm])
        #expect(Set(pushes.map(\.messageIdentifier)).count == 1 && Set(pushes.map(\.kid)).count == 1)
        #expect(pushes[0].headers.isEmpty == false && pushes[1].headers.isEmpty)
        #expect(pushes[0].device == nil)
    }

    private func headers(_ members: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try alone(members).headers.map { ($0.name, $0.value) })
    }

    @Test func headersByDefault() throws {
        #expect(
            try headers("") == [
                "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": String(Backend.start + 30 * 86_400),
            ])
    }

    @Test func headersAsGiven() throws {
        let members =
            #","expires":\#(Backend.start + 60),"#
            + #""apns":{"topic":"org.example","collapse_id":"é1","priority":1,"push_type":"voip"}"#
        #expect(
            try headers(members) == [
                "apns-push-type": "voip", "apns-priority": "1", "apns-expiration": String(Backend.start + 60),
                "apns-collapse-id": "é1", "apns-topic": "org.example",
            ])
    }

    @Test func collapseIdentifierHasOneTo64Bytes() throws {
        let most = String(repeating: "é", count: 32)
        #expect(try headers(#","apns":{"collapse_id":"\#(most)"}"#)["apns-collapse-id"] == most)
        let refused: [(String, String)] = [
            (most + "x", "65 bytes where 64 are allowed"), ("", "empty, or a control character in it"),
            (#"a\r\nx: y"#, "empty, or a control character in it"), (#"a\u007f"#, "empty, or a control character in it"),
        ]
        for (value, reason) in refused {
            let error = formatError { _ = try seal(#","apns":{"collapse_id":"\#(value)"}"#) }
            #expect(error == FormatError(field: "apns.collapse_id", reason: reason))
        }
        #expect(formatError { _ = try seal(#","apns":{"topic":"a\nb"}"#) }?.field == "apns.topic")
        #expect(formatError { _ = try seal(#","apns":{"priority":9}"#) }?.field == "apns.priority")
    }

    @Test func expiryHasToLieWithin31DaysAhead() throws {
        for (expires, isAllowed) in [(0, false), (1, true), (31 * 86_400, true), (31 * 86_400 + 1, false), (-1, false)] {
            let error = formatError { _ = try seal(#","expires":\#(Backend.start + Int64(expires))"#) }
            #expect((error == nil) == isAllowed, "\(expires): \(String(describing: error))")
            if let error { #expect(error.field == "exp") }
        }
    }

    @Test func theStoresDefaultsStandWhereTheRequestSaysNothing() throws {
        let other = try Backend(
            defaults: #"{"type":"mail","placeholder":{"title":"W","body":"P"},"platform":"fcm","padding":"none","#
                + #""overflow":"error"}"#)
        try other.provision("chat", .dir)
        let sealer = try other.sealer()
        let push = try sealer.seal(try request(#"{"conversation":"chat","body":"B"}"#), now: Backend.start)
        #expect(
            push.map(\.surroundings) == [
                #"{"message":{"data":{"type":"mail","body":"P","encrypted_payload":"*"},"android":{"priority":"HIGH"}}}"#
            ])
        let own = try sealer.seal(
            try request(#"{"conversation":"chat","body":"B","platform":"apns","type":"x","placeholder":{"loc_key":"K"}}"#),
            now: Backend.start)
        #expect(
            own.map(\.surroundings) == [
                #"{"aps":{"alert":{"loc-key":"K"},"mutable-content":1},"type":"x","body":"New message","#
                    + #""encrypted_payload":"*"}"#
            ])
        let long = String(repeating: "x", count: 5_000)
        let error = formatError {
            _ = try sealer.seal(try request(#"{"conversation":"chat","body":"\#(long)"}"#), now: Backend.start)
        }
        #expect(error?.doesNotFit == true)
    }

    // MARK: Size

    @Test(arguments: [Platform.apns, .fcm]) func sizesAddUpAndFullPaddingFillsThem(platform: Platform) throws {
        for padding in Padding.allCases {
            let push = try alone(#","platform":"\#(platform.rawValue)","padding":"\#(padding.rawValue)""#)
            #expect(push.byteCount + push.bytesLeft == 4_096)
            if platform == .apns { #expect(push.byteCount == push.payload.count) }
            if padding == .full { #expect(push.bytesLeft <= 1) }
        }
    }

    @Test func bucketsHideTheLength() throws {
        let sizes = try ["", "x", String(repeating: "y", count: 100)].map { text in
            try backend.sealer().seal(try request(#"{"conversation":"chat","body":"\#(text)"}"#), now: Backend.start)[0]
                .byteCount
        }
        #expect(Set(sizes).count == 1)
        let bare = try ["x", "xx", "xxxx"].map { text in
            try backend.sealer().seal(
                try request(#"{"conversation":"chat","body":"\#(text)","padding":"none"}"#), now: Backend.start)[0].byteCount
        }
        #expect(bare.count == 3 && bare[0] < bare[2])
    }

    @Test func whatDoesNotFitIsCutOrRefused() throws {
        let long = String(repeating: "x", count: 5_000)
        let cut = try backend.sealer().seal(try request(#"{"conversation":"chat","body":"\#(long)"}"#), now: Backend.start)
        #expect(cut[0].isTruncated && cut[0].byteCount <= 4_096 && cut[0].bytesLeft <= 1)
        for members in [#""body":"\#(long)","overflow":"error""#, #""title":"\#(long)""#, #""body":"B","title":"\#(long)""#] {
            let error = formatError {
                _ = try backend.sealer().seal(try request(#"{"conversation":"chat",\#(members)}"#), now: Backend.start)
            }
            #expect(error?.field == "request" && error?.doesNotFit == true)
        }
    }

    @Test func aLimitIsKeptAndNeverAboveThePlatforms() throws {
        let long = String(repeating: "x", count: 6_000)
        func size(_ members: String) throws -> Int {
            try backend.sealer().seal(
                try request(#"{"conversation":"chat","body":"\#(long)"\#(members)}"#), now: Backend.start)[0].byteCount
        }
        #expect((999...1_000).contains(try size(#","limit":1000"#)))
        #expect((5_119...5_120).contains(try size(#","apns":{"push_type":"voip"}"#)))
        for members in [#","limit":4097"#, #","limit":0"#, #","limit":5120,"platform":"fcm","apns":{"push_type":"voip"}"#] {
            #expect(formatError { _ = try size(members) }?.field == "limit", "\(members)")
        }
        #expect(formatError { _ = try size(#","limit":100"#) }?.doesNotFit == true)
    }

    /// An alert that shows nothing keeps the extension from running, and a placeholder that is too long leaves no room.
    @Test(arguments: ["title", "title_loc_key", "body", "loc_key"])
    func aPlaceholderShowsSomethingAndLeavesRoom(_ name: String) throws {
        for count in [0, 513] {
            let text = String(repeating: "x", count: count)
            let json = #"{"conversation":"chat","body":"B","placeholder":{"\#(name)":"\#(text)"}}"#
            #expect(formatError { _ = try request(json) }?.field == "placeholder.\(name)")
        }
        let longest = String(repeating: "x", count: 512)
        _ = try request(#"{"conversation":"chat","body":"B","placeholder":{"\#(name)":"\#(longest)"}}"#)
    }
}
