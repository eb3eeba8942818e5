import EnvelopeFormat
import Foundation
import TestSupport
import Testing

/// The claims one by one (envelope spec, section 5.4).
@Suite struct ClaimsTests {
    private static let identifier = #""jti":"AAECAwQFBgcICQoLDA0ODw""#
    private static let least = identifier + #","iat":1700000000,"sub":"conv-1","body":"b""#

    private func read(_ text: String) throws -> Claims { try Claims(plaintext: Array(text.utf8)) }

    private func fault(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return (error as? FormatError)?.field
        }
    }

    private func write(_ claims: Claims) -> String {
        var writer = ByteWriter(capacity: 64)
        writer.append(claims)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static let full =
        "{" + identifier
        + #","iat":1700000000,"exp":1700000001,"sub":"conv-1","title":"t\"/","subtitle":"s","body":"b","#
        + #""loc_title":{"key":"k","args":{}},"loc_body":{"key":"","args":{"z":"1","a":"2"}},"thread":"th","category":"c","#
        + #""image":{"url":"https://x","sha256":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"#
        + #""data":{"z":1.50,"a":[1e400,{"n":null}]},"trunc":true}"#

    @Test func inTheOrderOfThePage() throws {
        #expect(write(try read(Self.full)) == Self.full)
        let members = try #require(try JSONValue.parse(Array(Self.full.utf8)).members)
        let reversed = String(decoding: JSONValue.object(members.reversed()).write(), as: UTF8.self)
        #expect(reversed != Self.full)
        #expect(write(try read(reversed)) == Self.full)
    }

    @Test func whatIsReadIsThere() throws {
        let claims = try read(Self.full)
        #expect(claims.identifier.description == "AAECAwQFBgcICQoLDA0ODw")
        #expect(claims.validity == (try Validity(issuedAt: 1_700_000_000, expiresAt: 1_700_000_001)))
        #expect(claims.conversation.string == "conv-1")
        let content = claims.content
        #expect(
            [content.title, content.subtitle, content.body, content.thread, content.category] == [
                "t\"/", "s", "b", "th", "c",
            ])
        #expect(content.localizedTitle?.key == "k")
        #expect(content.localizedTitle == content.localizedTitle && content.localizedTitle != content.localizedBody)
        #expect(content.localizedBody?.arguments.map(\.name) == ["z", "a"])
        #expect(content.image?.url == "https://x")
        #expect(content.data?.map(\.name) == ["z", "a"])
        #expect(content.isTruncated)
    }

    @Test func randomClaimsComeBack() throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(400, slow: 20_000) {
            let claims = try RandomClaims.claims(using: &source)
            var writer = ByteWriter(capacity: 64)
            writer.append(claims)
            writer.append(repeating: 0x20, count: Int.random(in: 0...300, using: &source))
            #expect(try Claims(plaintext: writer.bytes) == claims)
        }
    }

    /// Each line replaces or adds one claim to the least there can be; the claim at fault is named.
    static let faults: [(field: String, claims: String)] = [
        ("jti", #""iat":1,"sub":"c","body":"b""#),
        ("jti", #""jti":null,"iat":1,"sub":"c","body":"b""#),
        ("jti", #""jti":1,"iat":1,"sub":"c","body":"b""#),
        ("jti", #""jti":"","iat":1,"sub":"c","body":"b""#),
        ("jti", #""jti":"AAECAwQFBgcICQoLDA0ODx","iat":1,"sub":"c","body":"b""#),
        ("iat", #""jti":"AAECAwQFBgcICQoLDA0ODw","sub":"c","body":"b""#),
        ("sub", #""jti":"AAECAwQFBgcICQoLDA0ODw","iat":1,"body":"b""#),
        ("conversation", #""jti":"AAECAwQFBgcICQoLDA0ODw","iat":1,"sub":"","body":"b""#),
        ("sub", #""jti":"AAECAwQFBgcICQoLDA0ODw","iat":1,"sub":null,"body":"b""#),
        ("body", #""jti":"AAECAwQFBgcICQoLDA0ODw","iat":1,"sub":"c""#),
        (
            "body",
            #""jti":"AAECAwQFBgcICQoLDA0ODw","iat":1,"sub":"c","subtitle":"s","thread":"t","data":{},"image":{"url":"https://x"}"#
        ),
        ("nbf", least + #","nbf":0"#), ("nbf", least + #","nbf":null"#), ("nbf", least + #","\u006ebf":"x""#),
        ("title", least + #","title":null"#), ("title", least + #","title":1"#),
        ("subtitle", least + #","subtitle":[]"#),
        ("body", identifier + #","iat":1,"sub":"c","title":"t","body":false"#),
        ("loc_title", least + #","loc_title":"k""#), ("loc_title", least + #","loc_title":null"#),
        ("loc_title", least + #","loc_title":{}"#),
        ("loc_title", least + #","loc_title":{"args":{}}"#),
        ("loc_title", least + #","loc_title":{"key":1,"args":{}}"#),
        ("loc_title.args", least + #","loc_title":{"key":"k"}"#),
        ("loc_title.args", least + #","loc_title":{"key":"k","args":null}"#),
        ("loc_body.args", least + #","loc_body":{"key":"k","args":[]}"#),
        ("loc_body.args", least + #","loc_body":{"key":"k","args":{"a":1}}"#),
        ("loc_body.args", least + #","loc_body":{"key":"k","args":{"a":null}}"#),
        ("loc_body", least + #","loc_body":[]"#),
        ("thread", least + #","thread":"""#), ("thread", least + #","thread":null"#),
        ("thread", least + #","thread":1"#),
        ("thread", least + ",\"thread\":\"\(String(repeating: "x", count: 65))\""),
        ("category", least + #","category":"""#),
        ("category", least + ",\"category\":\"\(String(repeating: "😀", count: 17))\""),
        ("image", least + #","image":"https://x""#), ("image", least + #","image":null"#),
        ("image.url", least + #","image":{}"#),
        ("image.url", least + #","image":{"url":null}"#), ("image.url", least + #","image":{"url":"https://"}"#),
        ("image.url", least + #","image":{"url":"http://x"}"#), ("image.url", least + #","image":{"url":"HTTPS://x"}"#),
        ("image.url", least + #","image":{"url":" https://x"}"#),
        ("image.url", least + #","image":{"url":"https://x y"}"#),
        ("image.url", least + #","image":{"url":"https://é"}"#),
        ("image.url", least + #","image":{"url":"https://x\u007f"}"#),
        ("image.url", least + #","image":{"url":"https:/x"}"#),
        ("image.url", least + #","image":{"url":"https://x\n"}"#),
        ("image.sha256", least + #","image":{"url":"https://x","sha256":null}"#),
        ("image.sha256", least + #","image":{"url":"https://x","sha256":""}"#),
        (
            "image.sha256",
            least + #","image":{"url":"https://x","sha256":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB"}"#
        ),
        ("image.key", least + #","image":{"url":"https://x","key":"AAAA"}"#),
        ("image.key", least + #","image":{"url":"https://x","key":1}"#),
        ("data", least + #","data":null"#), ("data", least + #","data":[]"#), ("data", least + #","data":"{}""#),
        ("trunc", least + #","trunc":false"#), ("trunc", least + #","trunc":1"#), ("trunc", least + #","trunc":null"#),
        ("trunc", least + #","trunc":"true""#),
    ]

    @Test(arguments: faults) func fault(_ field: String, _ claims: String) {
        #expect(fault("{\(claims)}") == field)
    }

    static let integers = [
        "true", "null", #""1700000000""#, "1700000000.0", "17e8", "1.7e9", "-0", "-1", "9007199254740992",
        "18446744073709551617", "1E400", "[]",
    ]

    @Test(arguments: integers) func notAnInteger(_ token: String) {
        let rest = Self.identifier + #","sub":"c","body":"b""#
        #expect(fault("{\(rest),\"iat\":\(token)}") == "iat")
        #expect(fault("{\(rest),\"iat\":0,\"exp\":\(token)}") == "exp")
    }

    @Test func integersThatCount() throws {
        let rest = Self.identifier + #","sub":"c","body":"b""#
        #expect(try read("{\(rest),\"iat\":0}").validity.end == 2_678_400)
        #expect(try read("{\(rest),\"iat\":9007199254740991}").validity.end == 9_007_199_254_740_991 + 2_678_400)
        #expect(fault("{\(rest),\"iat\":9007199254740991,\"exp\":9007199254740991}") == "exp")
    }

    @Test func whenItEnds() throws {
        let month: Int64 = 2_678_400
        for (issuedAt, expiresAt) in [(100, 101), (100, 100 + month), (0, 1), (0, month)] as [(Int64, Int64)] {
            #expect(try Validity(issuedAt: issuedAt, expiresAt: expiresAt).end == expiresAt)
        }
        for expiresAt in [100, 99, 0, -1, 101 + month, Int64.max] {
            #expect(throws: FormatError(field: "exp", reason: "not after iat and within 31 days of it")) {
                try Validity(issuedAt: 100, expiresAt: expiresAt)
            }
        }
        for issuedAt in [-1, Int64.min, 9_007_199_254_740_992, Int64.max] {
            #expect(throws: FormatError(field: "iat", reason: "outside 0 to 2^53-1")) {
                try Validity(issuedAt: issuedAt, expiresAt: nil)
            }
        }
    }

    @Test func judgedByTheClock() throws {
        let validity = try Validity(issuedAt: 1_000, expiresAt: 2_000)
        #expect(throws: Never.self) { try validity.check(at: 400) }
        #expect(throws: Never.self) { try validity.check(at: 1_999) }
        #expect(throws: Outcome.expired) { try validity.check(at: 2_000) }
        #expect(throws: Outcome.expired) { try validity.check(at: Int64.max) }
        #expect(throws: Outcome.notYetValid) { try validity.check(at: 399) }
        #expect(throws: Outcome.notYetValid) { try validity.check(at: 0) }
        #expect(throws: Outcome.notYetValid) { try validity.check(at: Int64.min) }
        let open = try Validity(issuedAt: 1_000, expiresAt: nil)
        #expect(throws: Never.self) { try open.check(at: 1_000 + 2_678_399) }
        #expect(throws: Outcome.expired) { try open.check(at: 1_000 + 2_678_400) }
    }

    @Test func theUnknownIsPassedOver() throws {
        let more = #","iss":null,"aud":[1],"NBF":5,"":{},"n\u0062g":1,"titlE":7,"x":{"nbf":1,"deep":[[[[]]]]}"#
        #expect(try read("{\(Self.least)\(more)}") == (try read("{\(Self.least)}")))
        let inner = try read(
            "{\(Self.least),\"image\":{\"url\":\"https://x\",\"alt\":null,\"nbf\":1},\"loc_body\":{\"key\":\"k\",\"args\":{},\"x\":[]}}"
        )
        #expect(inner.content.image?.url == "https://x")
        #expect(inner.content.localizedBody?.key == "k")
    }

    @Test(arguments: [
        "", " ", "[]", "null", "\"x\"", "1", "{\(least)},", "{\(least)}{}", "{\(least)}\u{0}", "{\(least)}\u{A0}",
        "{\(least)}\u{80}",
        "\u{FEFF}{\(least)}", "{\(least),\"body\":\"b\"}", "{\(least),\"x\":{\"y\":1,\"y\":2}}",
    ]) func notAClaimsSet(_ text: String) {
        #expect(fault(text) == "JSON" || fault(text) == "claims")
    }

    @Test func paddingIsWhiteSpace() throws {
        for padding in [" ", "\t", "\r\n", String(repeating: " ", count: 4_000)] {
            #expect(try read("{\(Self.least)}\(padding)") == (try read("{\(Self.least)}")))
        }
        #expect(throws: Never.self) { try read(" \n{\(Self.least)}") }
    }

    @Test func contentOfSixtyFourBytes() throws {
        for text in [String(repeating: "x", count: 64), String(repeating: "😀", count: 16), "\u{0}"] {
            var content = Content()
            content.title = ""
            content.thread = text
            content.category = text
            #expect(throws: Never.self) { try claims(content) }
        }
    }

    // MARK: What a caller puts together

    private func claims(_ content: Content) throws -> Claims {
        try Claims(
            identifier: try MessageIdentifier(bytes: [UInt8](0..<16)),
            validity: try Validity(issuedAt: 5, expiresAt: nil),
            conversation: try ConversationIdentifier("c"), content: content)
    }

    private func content(data: [JSONMember]) -> Content {
        var content = Content()
        content.body = "b"
        content.data = data
        return content
    }

    private func nested(_ depth: Int) -> JSONValue {
        depth == 0 ? .null : .array([nested(depth - 1)])
    }

    /// A claims set that no device would take is not sealed.
    @Test func whatNobodyCouldReadIsRefused() throws {
        #expect(throws: Never.self) { try claims(content(data: [JSONMember("x", nested(14))])) }
        #expect(throws: FormatError(field: "data", reason: "not strict JSON, or too deep")) {
            try claims(content(data: [JSONMember("x", nested(15))]))
        }
        for data in [
            [JSONMember("a", .null), JSONMember("a", .null)],
            [JSONMember("a", .object([JSONMember("b", .null), JSONMember("c", .null), JSONMember("b", .null)]))],
            [JSONMember("a", .array([.number("01")]))], [JSONMember("a", .number(""))],
            [JSONMember("a", .number("1,\"b\":2"))],
            [JSONMember("a", .number("1 "))], [JSONMember("a", .number("true"))],
        ] {
            #expect(throws: FormatError(field: "data", reason: "not strict JSON, or too deep")) {
                try claims(content(data: data))
            }
        }
        #expect(throws: Never.self) {
            try claims(content(data: [JSONMember("\u{E9}", .null), JSONMember("e\u{301}", .null)]))
        }
        var twice = Content()
        twice.localizedBody = LocalizedText(key: "k", arguments: [("a", "1"), ("b", "2"), ("a", "3")])
        #expect(throws: FormatError(field: "loc_body.args", reason: "a name twice")) { try claims(twice) }
        var title = Content()
        title.localizedTitle = LocalizedText(key: "k", arguments: [("a", "1"), ("a", "3")])
        #expect(throws: FormatError(field: "loc_title.args", reason: "a name twice")) { try claims(title) }
    }

    /// The same by way of a document that may be deeper than a message.
    @Test func depthOfClaimsFromADeeperFile() throws {
        func document(_ depth: Int) -> [UInt8] {
            let inner = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Array("{\(Self.least),\"data\":{\"x\":\(inner)}}".utf8)
        }
        #expect(throws: Never.self) { try Claims(try JSONValue.parse(document(14), maximumDepth: 64)) }
        #expect(throws: FormatError.self) { try Claims(try JSONValue.parse(document(15), maximumDepth: 64)) }
    }
}
