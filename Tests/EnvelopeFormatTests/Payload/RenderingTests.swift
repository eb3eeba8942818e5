import EnvelopeFormat
import Testing

/// The bytes around the sealed part (envelope spec, section 3).
@Suite struct RenderingTests {
    private func frame(
        type: String = "msg", body: String = "b", imageURL: String? = nil, aps: String? = nil, isObject: Bool = false,
        limit: Int = 4_096
    ) throws -> PayloadFrame {
        let attributes = try aps.map { try NotificationAttributes(try JSONValue.parse(Array($0.utf8))) }
        return try PayloadFrame(
            type: type, body: body, imageURL: imageURL, attributes: attributes, isObject: isObject, limit: limit)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func apnsWithEverything() throws {
        let given =
            #"{"relevance-score":0.50,"interruption-level":"active","thread-id":"t/1","category":"c","badge":3,"#
            + #""sound":{"volume":1.0,"name":"x"},"alert":{"loc-key":"L","body":"B\u0001","title-loc-key":"TL","title":"T"}}"#
        let frame = try frame(body: "\"é/\n", imageURL: "https://x/y?z", aps: given)
        #expect(
            text(frame.prefix)
                == #"{"aps":{"alert":{"title":"T","title-loc-key":"TL","body":"B\u0001","loc-key":"L"},"mutable-content":1,"#
                + #""sound":{"volume":1.0,"name":"x"},"badge":3,"category":"c","thread-id":"t/1","interruption-level":"active","#
                + #""relevance-score":0.50},"type":"msg","body":"\"é/\n","image_url":"https://x/y?z","encrypted_payload":""#
        )
        #expect(text(frame.suffix) == "\"}")
        #expect(frame.room == 4_096 - frame.prefix.count - 2)
    }

    @Test func apnsWithTheLeast() throws {
        let frame = try frame(aps: #"{"alert":{"loc-key":"L"}}"#)
        #expect(
            text(frame.prefix)
                == #"{"aps":{"alert":{"loc-key":"L"},"mutable-content":1},"type":"msg","body":"b","encrypted_payload":""#
        )
    }

    @Test func split() throws {
        let frame = try frame(aps: #"{"alert":{"body":"b"}}"#, isObject: true)
        #expect(text(frame.prefix).hasSuffix(#""encrypted_payload":"#))
        #expect(text(frame.suffix) == "}")
        #expect(frame.room == 4_096 - frame.prefix.count - 1)
    }

    /// FCM counts keys and values as they are, not as JSON writes them.
    @Test func fcm() throws {
        let plain = try frame()
        #expect(text(plain.prefix) == #"{"type":"msg","body":"b","encrypted_payload":""#)
        #expect(plain.room == 4_096 - "typemsgbodybencrypted_payload".utf8.count)
        let more = try frame(body: "\"\u{1}é\n", imageURL: "https://x")
        #expect(
            text(more.prefix) == #"{"type":"msg","body":"\"\u0001é\n","image_url":"https://x","encrypted_payload":""#)
        #expect(more.room == 4_096 - "typemsgbody\"\u{1}é\nimage_urlhttps://xencrypted_payload".utf8.count)
        let sealed = try Sample.seal(try Sample.claims(body: "b"), .dir, in: more, padding: .full)
        let json = try JSONValue.parse(sealed.bytes)
        let counted = json.members?.reduce(0) { $0 + $1.name.utf8.count + ($1.value.text?.utf8.count ?? 0) }
        #expect(json.members?.map(\.name) == ["type", "body", "image_url", "encrypted_payload"])
        #expect(counted.map { $0 + sealed.bytesLeft } == 4_096)
        #expect(sealed.bytes.count > 4_096)
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7], Platform.allCases) func theWholePayload(
        _ algorithm: KeyAlgorithm, _ platform: Platform
    ) throws {
        let frame = try Sample.frame(platform: platform)
        let payload = try Sample.seal(try Sample.claims(body: "b"), algorithm, in: frame)
        #expect(payload.bytes.starts(with: frame.prefix))
        #expect(payload.bytes.suffix(2) == [0x22, 0x7D])
        let json = try JSONValue.parse(payload.bytes)
        #expect(json.write() == payload.bytes)
        let sealed = try #require(json["encrypted_payload"]?.text)
        #expect(payload.bytesLeft == frame.room - sealed.utf8.count)
    }

    @Test(arguments: ["a", "0", "A-b.c_d", "9" + String(repeating: "_", count: 31)]) func types(_ type: String) throws {
        #expect(throws: Never.self) { try frame(type: type) }
    }

    /// Every letter, digit and mark, first and later, and no other character of ASCII.
    @Test func charactersOfAType() throws {
        let first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for byte in UInt8(0)..<128 {
            let character = String(UnicodeScalar(byte))
            let isFirst = (try? frame(type: character)) != nil
            let isLater = (try? frame(type: "a" + character)) != nil
            #expect(isFirst == first.contains(character), "first \(byte)")
            #expect(isLater == (first + ".-_").contains(character), "later \(byte)")
        }
    }

    @Test(arguments: [
        "", ".a", "-a", "_a", "a b", "a/b", "a\n", "é", "a\u{301}", "\u{212A}", "a\u{0}", "ａ",
        "a" + String(repeating: "b", count: 32),
    ]) func notATypes(_ type: String) {
        #expect(
            throws: FormatError(
                field: "type", reason: "not 1 to 32 of A-Z a-z 0-9 . _ - beginning with a letter or digit")
        ) {
            try frame(type: type)
        }
    }

    @Test(arguments: [
        "", "https://", "http://x", "HTTPS://x", "https:/x", " https://x", "https://x y", "https://é", "https://x\n",
        "https://\u{7F}",
    ])
    func notAnImageURL(_ url: String) {
        #expect(throws: FormatError(field: "image_url", reason: "not https:// followed by printable ASCII")) {
            try frame(imageURL: url)
        }
    }

    static let attributeFlaws: [(field: String, aps: String)] = [
        ("aps", "[]"), ("aps", "{}"), ("aps", #"{"alert":"text"}"#), ("aps", #"{"alert":null}"#),
        ("aps.alert", #"{"alert":{}}"#),
        ("alert", #"{"alert":{"subtitle":"s"}}"#), ("alert", #"{"alert":{"body":"b","loc-args":[]}}"#),
        ("alert", #"{"alert":{"Body":"b"}}"#),
        ("aps.alert.body", #"{"alert":{"body":1}}"#), ("aps.alert.title", #"{"alert":{"title":null}}"#),
        ("aps.alert.loc-key", #"{"alert":{"loc-key":["x"]}}"#), ("aps", #"{"alert":{"body":"b"},"mutable-content":1}"#),
        ("aps", #"{"alert":{"body":"b"},"content-available":1}"#), ("aps", #"{"alert":{"body":"b"},"Sound":"x"}"#),
        ("aps", #"{"alert":{"body":"b"},"stale-date":1}"#), ("aps.sound", #"{"alert":{"body":"b"},"sound":1}"#),
        ("aps.sound", #"{"alert":{"body":"b"},"sound":null}"#), ("aps.sound", #"{"alert":{"body":"b"},"sound":["x"]}"#),
        ("aps.badge", #"{"alert":{"body":"b"},"badge":"1"}"#), ("aps.badge", #"{"alert":{"body":"b"},"badge":1.0}"#),
        ("aps.badge", #"{"alert":{"body":"b"},"badge":-1}"#), ("aps.badge", #"{"alert":{"body":"b"},"badge":true}"#),
        ("aps.category", #"{"alert":{"body":"b"},"category":1}"#),
        ("aps.thread-id", #"{"alert":{"body":"b"},"thread-id":null}"#),
        ("aps.interruption-level", #"{"alert":{"body":"b"},"interruption-level":2}"#),
        ("aps.relevance-score", #"{"alert":{"body":"b"},"relevance-score":"1"}"#),
    ]

    @Test(arguments: attributeFlaws) func badAttributes(_ field: String, _ aps: String) throws {
        let error = #expect(throws: FormatError.self) {
            try NotificationAttributes(try JSONValue.parse(Array(aps.utf8)))
        }
        #expect(error?.field == field)
    }

    @Test func attributesThatNoOpenerCouldRead() throws {
        let alert = [JSONMember("body", .string("b"))]
        func sound(_ depth: Int) -> JSONValue {
            depth == 1 ? .object([]) : .object([JSONMember("x", sound(depth - 1))])
        }
        #expect(throws: Never.self) {
            try NotificationAttributes(alert: alert, others: [JSONMember("sound", sound(14))])
        }
        let wrong = [
            JSONMember("sound", sound(15)),
            JSONMember("sound", .object([JSONMember("a", .null), JSONMember("a", .null)])),
            JSONMember("relevance-score", .number("1,\"x\":1")),
        ]
        for member in wrong {
            #expect(throws: FormatError(field: "aps.\(member.name)", reason: "a value of a wrong type")) {
                try NotificationAttributes(alert: alert, others: [member])
            }
        }
        #expect(throws: FormatError(field: "aps", reason: "a member that is unknown or there twice")) {
            try NotificationAttributes(
                alert: alert, others: [JSONMember("badge", .number("1")), JSONMember("badge", .number("2"))])
        }
        #expect(throws: FormatError(field: "alert", reason: "a member that is unknown or there twice")) {
            try NotificationAttributes(alert: alert + alert)
        }
    }

    @Test func theDeepestPayloadIsStillReadByAnOpener() throws {
        func sound(_ depth: Int) -> JSONValue {
            depth == 1 ? .object([]) : .object([JSONMember("x", sound(depth - 1))])
        }
        let frame = try PayloadFrame(
            type: "msg", body: "b", imageURL: nil,
            attributes: try NotificationAttributes(
                alert: [JSONMember("body", .string("b"))], others: [JSONMember("sound", sound(14))]), limit: 4_096)
        let payload = try Sample.seal(try Sample.claims(body: "b"), .dir, in: frame)
        #expect(throws: Never.self) { try Sample.open(payload: payload.bytes, limit: 4_096) }
    }

    // MARK: Reading

    @Test func theSealedMember() throws {
        func kind(_ text: String, limit: Int = 4_096) -> String {
            do {
                switch try SealedMember(payload: Array(text.utf8), limit: limit) {
                case .absent: return "absent"
                case .string(let text): return "string \(text)"
                case .object(let members): return "object of \(members.count)"
                case .other: return "other"
                }
            } catch {
                return error.rawValue
            }
        }
        #expect(kind("{}") == "absent")
        #expect(kind(#"{"Encrypted_payload":"x","aps":{"encrypted_payload":"x"}}"#) == "absent")
        #expect(kind(#"{"encrypted\u005fpayload":"x"}"#) == "string x")
        #expect(kind(#"{"encrypted_payload":""}"#) == "string ")
        #expect(kind(#"{"encrypted_payload":{"a":1,"b":2}}"#) == "object of 2")
        for value in ["null", "false", "1", "[]"] { #expect(kind("{\"encrypted_payload\":\(value)}") == "other") }
        for text in [
            "", "[]", "null", "\"x\"", "{", #"{"a":1,"a":2}"#, #"{"encrypted_payload":"x","encrypted_payload":"x"}"#,
        ] {
            #expect(kind(text) == "malformed")
        }
        #expect(kind("{}", limit: 2) == "absent")
        #expect(kind("{} ", limit: 2) == "too-large")
        #expect(kind("not json", limit: 2) == "too-large")
    }
}
