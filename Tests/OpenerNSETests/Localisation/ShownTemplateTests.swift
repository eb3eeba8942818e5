import EnvelopeFormat
import Testing

@testable import OpenerNSE

/// What is shown of a message that asks for templates: the rendered text, else the claims' own, else the placeholder's.
@Suite struct ShownTemplateTests {
    private let folder: TemplateFolder

    init() throws {
        folder = try TemplateFolder()
        try folder.put(
            #"{"new.from":"Neues von {sender}","new.count":{"one":"{count} Nachricht","other":"{count} Nachrichten"}}"#,
            "notifications-de.json")
    }

    private func shown(_ claims: String) throws -> ShownText {
        let phone = try Phone()
        try phone.hold()
        let text = "{\"jti\":\"AAECAwQFBgcICQoLDA0ODw\",\"iat\":\(Phone.now),\"sub\":\"conv-1\",\(claims)}"
        let opening = phone.open(phone.payload(try phone.seal(text)))
        let content = try #require(opening.content)
        return ShownText(content, rendering: folder.templates("de-AT"), placeholder: Phone.placeholder)
    }

    @Test func renderedBeforeTheClaimsOwn() throws {
        let title = #""loc_title":{"key":"new.from","args":{"sender":"Anna"}}"#
        let body = #""loc_body":{"key":"new.count","args":{"count":"1"}}"#
        #expect(try shown(title) == ShownText(title: "Neues von Anna"))
        #expect(try shown(body) == ShownText(body: "1 Nachricht"))
        #expect(
            try shown("\"title\":\"t\",\"subtitle\":\"s\",\"body\":\"b\",\(title),\(body)")
                == ShownText(title: "Neues von Anna", subtitle: "s", body: "1 Nachricht"))
    }

    @Test(arguments: [
        #"{"key":"absent","args":{"sender":"Anna"}}"#, #"{"key":"new.from","args":{}}"#, #"{"key":"new.from","args":{"Sender":"Anna"}}"#,
        #"{"key":"new.count","args":{"sender":"Anna"}}"#, #"{"key":"","args":{}}"#, #"{"key":"NEW.FROM","args":{"sender":"Anna"}}"#,
    ]) func elseTheClaimsOwnElseThePlaceholder(_ text: String) throws {
        let place = Phone.placeholder
        #expect(try shown("\"loc_title\":\(text)") == ShownText(title: place.title))
        #expect(try shown("\"loc_body\":\(text)") == ShownText(body: place.body))
        #expect(try shown("\"loc_title\":\(text),\"loc_body\":\(text)") == place)
        #expect(try shown("\"title\":\"t\",\"body\":\"b\",\"loc_title\":\(text),\"loc_body\":\(text)") == ShownText(title: "t", body: "b"))
        #expect(
            try shown("\"loc_title\":{\"key\":\"new.from\",\"args\":{\"sender\":\"Anna\"}},\"loc_body\":\(text)")
                == ShownText(title: "Neues von Anna", body: place.body))
    }
}
