import CryptoPrimitives
import EnvelopeFormat
import TestSupport

/// Random claims that are as the profile says.
enum RandomClaims {
    static func claims(using source: inout RepeatableRandom) throws -> Claims {
        var content = Content()
        func maybe() -> Bool { Bool.random(using: &source) }
        func text(_ count: ClosedRange<Int> = 0...20) -> String { RandomText.text(pieces: count, using: &source) }
        if maybe() { content.title = text() }
        if maybe() { content.subtitle = text() }
        if maybe() { content.body = text(0...60) }
        if maybe() { content.localizedTitle = LocalizedText(key: text(), arguments: [("a", text()), ("b", text())]) }
        if maybe() { content.localizedBody = LocalizedText(key: text(), arguments: []) }
        if maybe() { content.thread = "t\(source.next())" }
        if maybe() { content.category = "c" }
        if maybe() {
            content.image = try ImageReference(
                url: "https://x/\(source.next())", sha256: maybe() ? source.bytes(32) : nil,
                key: maybe() ? SymmetricKey(data: source.bytes(32)) : nil)
        }
        if maybe() { content.data = RandomJSON.members(depth: 2, using: &source) }
        content.isTruncated = maybe()
        if content.title == nil, content.localizedTitle == nil, content.localizedBody == nil { content.body = text() }
        let issuedAt = Int64.random(in: 0...Validity.latestTime - Validity.maximumAge, using: &source)
        return try Claims(
            identifier: try MessageIdentifier(bytes: source.bytes(16)),
            validity: try Validity(
                issuedAt: issuedAt,
                expiresAt: maybe() ? issuedAt + Int64.random(in: 1...Validity.maximumAge, using: &source) : nil),
            conversation: try ConversationIdentifier("conv-\(source.next())"), content: content)
    }
}
