import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

/// Nothing that holds a secret shows it, however it is printed or reflected.
@Suite struct SecrecyTests {
    private static let raw: [UInt8] = [0xC7, 0x5E, 0xA1, 0x93] + (0..<28).map { UInt8(($0 * 7 + 130) & 0xFF) }

    static func holders() throws -> [(name: String, value: any Sendable)] {
        let key = SymmetricKey(data: raw)
        let secret = try ConversationSecret(key)
        let bundle = try ProvisioningBundle(
            kid: try Sample.kid(), secret: secret, algorithm: .dir, conversation: try Sample.conversation(),
            sequence: 1,
            validity: try Validity(issuedAt: 1, expiresAt: 2), accessible: .standard)
        let document = try EnrollmentDocument(publicKey: Sample.device.publicKey, enrollmentSecret: key, name: "n")
        return [
            ("SymmetricKey", key), ("ConversationSecret", secret), ("ProvisioningBundle", bundle),
            ("EnrollmentDocument", document),
            ("optional", Optional(secret)), ("array", [key]),
            ("private key", try P256.KeyAgreement.PrivateKey(rawRepresentation: raw)),
        ]
    }

    /// Everything that printing and reflecting show, to the last child.
    private func shown(_ value: Any) -> String {
        var text = "\(value)\n" + String(describing: value) + "\n" + String(reflecting: value) + "\n"
        dump(value, to: &text)
        func descend(_ mirror: Mirror, _ depth: Int) {
            guard depth < 12 else { return }
            for child in mirror.children {
                text += "\n\(child.label ?? ""): \(child.value) \(String(reflecting: child.value))"
                descend(Mirror(reflecting: child.value), depth + 1)
            }
            if let above = mirror.superclassMirror { descend(above, depth + 1) }
        }
        descend(Mirror(reflecting: value), 0)
        return text
    }

    private func forms(_ bytes: [UInt8]) -> [String] {
        [
            bytes.map { String(format: "%02x", $0) }.joined(), bytes.map { String(format: "%02X", $0) }.joined(),
            bytes.map { String(format: "%02x", $0) }.joined(separator: " "),
            bytes.map { String($0) }.joined(separator: ", "),
            bytes.map { String($0) }.joined(separator: " "), String(Base64URL.encode(bytes).dropLast(2)),
            String(Base64.encode(bytes).prefix(4)),
        ]
    }

    /// Whether four bytes in a row of the secret are shown in some form, one to a line included.
    private func isShown(_ text: String) -> Bool {
        let four = Array(Self.raw.prefix(4))
        if (forms(four) + forms(Self.raw)).contains(where: { text.contains($0) }) { return true }
        let numbers = text.split { !$0.isHexDigit }.compactMap { UInt8($0) }
        return numbers.indices.contains { numbers[$0...].starts(with: four) }
    }

    @Test func theTestFindsWhatIsShown() {
        #expect(isShown(shown(Self.raw)))
        #expect(isShown(shown(["x": Data(Self.raw)])))
        #expect(isShown(Base64URL.encode(Self.raw)))
        #expect(isShown(Self.raw.map { String(format: "%02x", $0) }.joined()))
        #expect(!isShown("nothing of 199 94"))
    }

    @Test func nothingIsShown() throws {
        for (name, value) in try Self.holders() { #expect(!isShown(shown(value)), "\(name)") }
    }

    /// Neither is what a message says, wherever it stands in the claims.
    @Test func noContentIsShown() throws {
        let marker = "kR7vQ2mZ"
        var content = Content()
        content.title = marker
        content.subtitle = marker
        content.body = marker
        content.localizedTitle = LocalizedText(key: "K", arguments: [("name", marker)])
        content.localizedBody = LocalizedText(key: marker, arguments: [])
        content.thread = marker
        content.category = marker
        content.image = try ImageReference(url: "https://example.com/" + marker, key: SymmetricKey(data: Self.raw))
        content.data = [JSONMember("name", .string(marker)), JSONMember(marker, .null)]
        let claims = try Claims(
            identifier: try #require(MessageIdentifier("AAECAwQFBgcICQoLDA0ODw")), validity: try Validity(issuedAt: 1, expiresAt: 2),
            conversation: try Sample.conversation(), content: content)
        for value in [content, claims, content.image as Any, content.localizedTitle as Any, [content]] as [Any] {
            let text = shown(value)
            #expect(!text.contains(marker) && !isShown(text), "\(type(of: value))")
        }
        #expect(shown(content.title as Any).contains(marker))
    }

    /// A mirror of a secret has no child at all.
    @Test func aSecretHasNoChildren() throws {
        let secret = try ConversationSecret(SymmetricKey(data: Self.raw))
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect("\(secret)" == "ConversationSecret")
    }

    /// They are no values to encode, hash or keep in a set.
    @Test func noneIsCodableOrHashable() throws {
        for (name, value) in try Self.holders() where !["optional", "array"].contains(name) {
            #expect(!(value is any Encodable), "\(name)")
            #expect(!(value is any Hashable), "\(name)")
        }
    }

    @Test func errorsHoldNoInput() {
        let marker = "c75ea193"
        let errors: [FormatError?] = [
            fault { try ConversationIdentifier(marker + " ") }, fault { try Handle(bytes: Self.raw) },
            fault { try ImageReference(url: marker) }, fault { try JSONValue.parse(Array("\"\(marker)".utf8)) },
            fault { try Claims(plaintext: Array(#"{"jti":"\#(marker)"}"#.utf8)) },
            fault { try EnrollmentDocument(parsing: Array(#"{"jwk":{"kty":"\#(marker)"}}"#.utf8)) },
        ]
        for error in errors {
            #expect(error != nil)
            #expect(error?.description.contains(marker) == false)
        }
    }

    private func fault(_ body: () throws -> Any) -> FormatError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? FormatError
        }
    }
}
