import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// The claim `image` of a sealed attachment before it is in a message.
@Suite struct AttachmentClaimTests {
    private static let key = [UInt8](0..<32)
    private static let keyText = Base64URL.encode(key)
    private static let hash = [UInt8](100..<132)

    @Test func writtenAndRead() throws {
        let hashText = Base64URL.encode(Self.hash)
        let texts = [
            #"{"key":"\#(Self.keyText)"}"#, #"{"sha256":"\#(hashText)","key":"\#(Self.keyText)"}"#,
            #"{"url":"https://cdn.example/\"a","sha256":"\#(hashText)","key":"\#(Self.keyText)"}"#,
        ]
        for text in texts {
            let claim = try AttachmentClaim(parsing: Array(text.utf8))
            #expect(claim.key == SymmetricKey(data: Self.key))
            #expect(String(decoding: claim.json(), as: UTF8.self) == text)
        }
        let claim = try AttachmentClaim(
            url: "https://cdn.example/a", sha256: Self.hash, key: SymmetricKey(data: Self.key))
        #expect(try JSONValue.parse(claim.json()).members?.map(\.name) == ["url", "sha256", "key"])
    }

    /// What is written is the claim that a message takes, and its key the one that opens.
    @Test func itIsTheClaimOfAMessage() throws {
        let key = SymmetricKey(data: Self.key)
        let claim = try AttachmentClaim(url: "https://cdn.example/a", sha256: Self.hash, key: key)
        let content = try Content(claims: try JSONValue.parse(Array(#"{"body":"b","image":"#.utf8) + claim.json() + Array("}".utf8)))
        #expect(try content.image == ImageReference(url: "https://cdn.example/a", sha256: Self.hash, key: key))
        #expect(content.json["image"]?.write() == claim.json())
    }

    @Test func unknownMembersAreIgnored() throws {
        let claim = try AttachmentClaim(parsing: Array(#" {"x": [1], "key": "\#(Self.keyText)", "y": null} "#.utf8))
        #expect(claim.url == nil && claim.sha256 == nil && claim.key == SymmetricKey(data: Self.key))
    }

    private static let refusals: [(String, String, String?)] = [
        ("[]", "image", "not an object"), ("{}", "image.key", "missing"),
        (#"{"key":null}"#, "image.key", "not the base64url of 32 bytes"),
        (#"{"key":"AAAA"}"#, "image.key", "not the base64url of 32 bytes"),
        (#"{"key":"KEY="}"#, "image.key", "not the base64url of 32 bytes"),
        (#"{"key":"KEY","sha256":5}"#, "image.sha256", "not a string"),
        (#"{"key":"KEY","sha256":"AAAA"}"#, "image.sha256", "not the base64url of 32 bytes"),
        (#"{"key":"KEY","url":"http://a.example/"}"#, "image.url", "not https:// followed by printable ASCII"),
        (#"{"key":"KEY","url":null}"#, "image.url", "not a string"),
        (#"{"key":"KEY","key":"KEY"}"#, "JSON", nil), ("", "JSON", nil),
    ]

    @Test(arguments: refusals) func refused(_ text: String, _ field: String, _ reason: String?) throws {
        let bytes = Array(text.replacingOccurrences(of: "KEY", with: Self.keyText).utf8)
        let error = try #require(throws: FormatError.self) { try AttachmentClaim(parsing: bytes) }
        #expect(error.field == field && (reason == nil || error.reason == reason))
        #expect(!error.description.contains(Self.keyText))
    }

    @Test func partsOfOtherLengthsAreRefused() {
        let key = SymmetricKey(data: Self.key)
        #expect(throws: FormatError(field: "image.sha256", reason: "not of 32 bytes")) {
            try AttachmentClaim(url: nil, sha256: [1], key: key)
        }
        #expect(throws: FormatError(field: "image.key", reason: "not of 32 bytes")) {
            try AttachmentClaim(url: nil, sha256: nil, key: SymmetricKey(data: [1]))
        }
    }

    @Test func nothingIsShown() throws {
        let claim = try AttachmentClaim(url: "https://cdn.example/kR7v", sha256: nil, key: SymmetricKey(data: Self.key))
        #expect("\(claim)" == "AttachmentClaim" && Mirror(reflecting: claim).children.isEmpty)
    }
}
