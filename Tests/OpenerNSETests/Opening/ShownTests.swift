import EnvelopeFormat
import OpenerNSE
import Testing

/// What is shown: the claims' text or the app's placeholder, never a word from outside.
@Suite struct ShownTests {
    private func shown(_ claims: String) throws -> ShownText {
        let phone = try Phone()
        try phone.hold()
        let text = "{\"jti\":\"AAECAwQFBgcICQoLDA0ODw\",\"iat\":\(Phone.now),\"sub\":\"conv-1\",\(claims)}"
        let opening = phone.open(phone.payload(try phone.seal(text)))
        #expect(opening.outcome == .opened)
        return opening.shown
    }

    /// It is for the one who is shown it; a program that prints what opening came to prints none of it.
    @Test func printingItShowsNothing() throws {
        let phone = try Phone()
        try phone.hold()
        let claims = #""title":"kR7vQ2mZ","subtitle":"kR7vQ2mZ","body":"kR7vQ2mZ","data":{"kR7vQ2mZ":"kR7vQ2mZ"}"#
        let text = "{\"jti\":\"AAECAwQFBgcICQoLDA0ODw\",\"iat\":\(Phone.now),\"sub\":\"conv-1\",\(claims)}"
        let opening = phone.open(phone.payload(try phone.seal(text)))
        #expect(opening.shown.title == "kR7vQ2mZ")
        for value in [opening, opening.shown, opening.content as Any] as [Any] {
            var printed = "\(value) \(String(reflecting: value))"
            dump(value, to: &printed)
            #expect(!printed.contains("kR7vQ2mZ"), "\(type(of: value))")
        }
    }

    @Test func theTextOfTheClaims() throws {
        #expect(try shown(#""title":"t","subtitle":"s","body":"b""#) == ShownText(title: "t", subtitle: "s", body: "b"))
        #expect(try shown(#""body":"b""#) == ShownText(body: "b"))
        #expect(try shown(#""title":"t""#) == ShownText(title: "t"))
        #expect(try shown(#""body":"""#) == ShownText(body: ""))
    }

    @Test func thePlaceholderWhereATemplateIsMissing() throws {
        let place = Phone.placeholder
        #expect(try shown(#""loc_body":{"key":"k","args":{}}"#) == ShownText(body: place.body))
        #expect(try shown(#""loc_title":{"key":"k","args":{}}"#) == ShownText(title: place.title))
        #expect(try shown(#""loc_title":{"key":"k","args":{}},"body":"b""#) == ShownText(title: place.title, body: "b"))
        #expect(try shown(#""loc_body":{"key":"k","args":{}},"body":"b""#) == ShownText(body: "b"))
        #expect(try shown(#""loc_title":{"key":"k","args":{}},"loc_body":{"key":"k","args":{}}"#) == place)
    }

    @Test func nothingThatCouldShowATitleShowsThePlaceholder() throws {
        let phone = try Phone()
        try phone.hold()
        let opener = Opener(
            keychain: phone.keychain, replays: phone.replays,
            configuration: OpenerConfiguration(placeholder: ShownText(body: "ours")))
        let text =
            "{\"jti\":\"AAECAwQFBgcICQoLDA0ODw\",\"iat\":\(Phone.now),\"sub\":\"conv-1\",\"loc_title\":{\"key\":\"k\",\"args\":{}}}"
        #expect(
            opener.open(payload: phone.payload(try phone.seal(text)), now: Phone.now).shown == ShownText(body: "ours"))
    }
}
