import EnvelopeFormat
import Testing

@testable import Sealer

@Suite struct RequestParsingTests {
    private static let everything = #"""
        {"conversation":"chat-1","type":"mail","placeholder":{"title":"Waxwing","body":"News"},"title":"T","subtitle":"S",
        "body":"B","loc_title":{"key":"LT","args":{"n":"1"}},"loc_body":{"key":"LB","args":{}},"thread":"th","category":"ca",
        "image":{"url":"https://example.org/a"},"image_url":"https://example.org/b","data":{"a":[1,null]},
        "expires":1800000100,"platform":"both","aps":{"sound":"ding","badge":3,"category":"c","thread_id":"t",
        "interruption_level":"active","relevance_score":0.5},"apns":{"topic":"org.example.app","collapse_id":"c1",
        "priority":5,"push_type":"voip"},"device":"abc","padding":"full","overflow":"error","limit":2000,
        "idempotency_key":"k"}
        """#

    @Test func everyMemberIsRead() throws {
        let read = try request(Self.everything)
        #expect(read.conversation.string == "chat-1" && read.type == "mail")
        #expect(read.placeholder == Placeholder(title: "Waxwing", body: "News"))
        let content = #"""
            {"title":"T","subtitle":"S","body":"B","loc_title":{"key":"LT","args":{"n":"1"}},"loc_body":{"key":"LB","args":{}},
            "thread":"th","category":"ca","image":{"url":"https://example.org/a"},"data":{"a":[1,null]}}
            """#
        #expect(read.content.json == (try JSONValue.parse(Array(content.utf8))))
        #expect(read.imageURL == "https://example.org/b" && read.expires == 1_800_000_100 && read.platform == .both)
        #expect(
            read.attributes.members.map(\.name) == [
                "sound", "badge", "category", "thread-id", "interruption-level", "relevance-score",
            ])
        #expect(
            read.delivery
                == DeliveryOptions(
                    topic: "org.example.app", collapseIdentifier: "c1", priority: 5, pushType: .voip))
        #expect(read.device == "abc" && read.padding == .full && read.overflow == .error && read.limit == 2_000)
        #expect(read.idempotencyKey == "k")
    }

    @Test func whatIsAbsentIsNotThere() throws {
        let read = try request(#"{"conversation":"chat-1","body":"B"}"#)
        var plain = SealRequest(conversation: try ConversationIdentifier("chat-1"))
        plain.content.body = "B"
        #expect(read.type == nil && read.placeholder == nil && read.content == plain.content && read.imageURL == nil)
        #expect(read.expires == nil && read.platform == nil && read.attributes == RequestAttributes())
        #expect(read.delivery == DeliveryOptions() && read.device == nil && read.padding == nil && read.overflow == nil)
        #expect(read.limit == nil && read.idempotencyKey == nil)
    }

    @Test(arguments: [
        (1_792_065_600, #""2026-10-15T12:00:00Z""#), (1_792_065_600, #""2026-10-15T14:00:00+02:00""#),
        (1_792_065_600, "1792065600"), (0, "0"),
    ])
    func expiresIsSecondsOrATime(seconds: Int64, json: String) throws {
        #expect(try request(#"{"conversation":"c","body":"B","expires":\#(json)}"#).expires == seconds)
    }

    @Test(arguments: [
        ("{}", "conversation", "missing"),
        ("[]", "request", "not an object"),
        (#"{"conversation":"c","bodi":"B"}"#, "request", "unknown member bodi"),
        (#"{"conversation":"c","b\u00e9":"B"}"#, "request", "unknown member ?"),
        (#"{"conversation":"c","trunc":true}"#, "request", "unknown member trunc"),
        (#"{"conversation":"c","aps":{"alert":"x"}}"#, "aps", "unknown member alert"),
        (#"{"conversation":"c","aps":{"mutable-content":1}}"#, "aps", "unknown member mutable-content"),
        (#"{"conversation":"c","apns":{"expiration":1}}"#, "apns", "unknown member expiration"),
        (#"{"conversation":"c","placeholder":{"subtitle":"x"}}"#, "placeholder", "unknown member subtitle"),
        (#"{"conversation":"c","image":{"url":"https://a","sha265":"x"}}"#, "image", "unknown member ?"),
        (#"{"conversation":"c","image":{"url":"https://a","sha_sum":"x"}}"#, "image", "unknown member sha_sum"),
        (#"{"conversation":"c","loc_title":{"key":"k","args":{},"plural":true}}"#, "loc_title", "unknown member plural"),
        (#"{"conversation":"c","loc_body":{"key":"k","args":{},"arg":{}}}"#, "loc_body", "unknown member arg"),
        (#"{"conversation":"c","placeholder":{"title":"a","title_loc_key":"b"}}"#, "placeholder", "both title and title_loc_key"),
        (#"{"conversation":"c","placeholder":{"body":"a","loc_key":"b"}}"#, "placeholder", "both body and loc_key"),
        (#"{"conversation":"c","expires":"tomorrow"}"#, "expires", "neither seconds since 1970 nor a time of RFC 3339"),
        (#"{"conversation":"c","expires":-1}"#, "expires", "not a plain whole number"),
        (#"{"conversation":"c","expires":1e3}"#, "expires", "not a plain whole number"),
        (#"{"conversation":"c","limit":"10"}"#, "limit", "not a plain whole number"),
        (#"{"conversation":"c","platform":"web"}"#, "platform", "none of apns, fcm, both"),
        (#"{"conversation":"c","padding":"Bucket"}"#, "padding", "none of bucket, full, none"),
        (#"{"conversation":"c","overflow":"cut"}"#, "overflow", "none of truncate, error"),
        (#"{"conversation":"c","apns":{"push_type":"background"}}"#, "apns.push_type", "none of alert, voip"),
        (#"{"conversation":"c","apns":{"priority":"high"}}"#, "apns.priority", "not a plain whole number"),
        (#"{"conversation":"c","apns":{"topic":1}}"#, "apns.topic", "not a string"),
        (#"{"conversation":"c","data":[1]}"#, "data", "not an object"),
        (#"{"conversation":"a b"}"#, "conversation", "1 to 64 printable ASCII characters without spaces are needed"),
    ])
    func whatIsWrongIsNamed(json: String, field: String, reason: String) {
        #expect(formatError { _ = try request(json) } == FormatError(field: field, reason: reason))
    }

    /// `null` and a value of a wrong type are errors in every member, and the error names it.
    @Test(arguments: [
        "conversation", "type", "placeholder", "title", "subtitle", "body", "loc_title", "loc_body", "thread", "category",
        "image", "image_url", "data", "expires", "platform", "aps", "apns", "device", "padding", "overflow", "limit",
        "idempotency_key",
    ])
    func noMemberTakesAnotherType(member: String) {
        for value in ["null", "true", "[]"] {
            let conversation = member == "conversation" ? "" : #""conversation":"c","#
            let error = formatError { _ = try request("{\(conversation)\"\(member)\":\(value)}") }
            #expect(error?.field == member, "\(member) \(value): \(String(describing: error))")
        }
    }

    @Test func aMemberTwiceIsRefused() {
        #expect(formatError { _ = try request(#"{"conversation":"c","body":"a","body":"b"}"#) } != nil)
        #expect(formatError { _ = try request(#"{"conversation":"c","body":"a","b\u006fdy":"b"}"#) } != nil)
    }

    @Test func defaultsAreReadAsStrictly() throws {
        let json =
            #"{"type":"mail","placeholder":{"title_loc_key":"TK","loc_key":"BK"},"padding":"none","#
            + #""overflow":"error","platform":"fcm"}"#
        var expected = SealDefaults()
        #expect(try SealDefaults(parsing: Array("{}".utf8)) == expected)
        expected.type = "mail"
        expected.placeholder = Placeholder(titleLocKey: "TK", locKey: "BK")
        expected.padding = .none
        expected.overflow = .error
        expected.platform = .fcm
        #expect(try SealDefaults(parsing: Array(json.utf8)) == expected)
        for wrong in [#"{"limit":1}"#, #"{"type":"a b"}"#, #"{"type":null}"#, #"{"placeholder":{"title":"a","title_loc_key":"b"}}"#] {
            #expect(formatError { _ = try SealDefaults(parsing: Array(wrong.utf8)) } != nil, "\(wrong)")
        }
    }
}
