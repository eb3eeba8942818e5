import CryptoPrimitives
import EnvelopeFormat
import TestSupport
import Testing

/// C_n, K_n and P_n (envelope spec, section 4).
@Suite struct KeyScheduleTests {
    struct Known: Sendable {
        let conversation: String
        let steps: Int
        let secret, contentKey, presharedKey: String
    }

    /// By Python's `hmac` from C_0 = 00 01 … 1f: `hmac.digest(C, b"waxwing/1 " + label + b"\0" + cid + b"\x01", "sha256")`.
    static let known = [
        Known(
            conversation: "conv-1", steps: 0, secret: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            contentKey: "3iN7oegegkolpsrfA01t9Mi-FFxK3mVyWJSBOojtKKQ",
            presharedKey: "eULVjtCnK7X9FJltL9lUXx9oM7vwS0JKnMW9jTZexkY"),
        Known(
            conversation: "conv-1", steps: 1, secret: "FOOkpnggUq0mqZV7w1kVEirhdNI2A_UA1ZBZSs47Vww",
            contentKey: "C5ynPLfYv9N4vQgwLRD0XemVzDG4DtbEyR8ifRNW_7E",
            presharedKey: "UK2cbEq5UY0kwrov1kOkkFkQVDyUzeqIU3FHgpusGj8"),
        Known(
            conversation: "conv-1", steps: 3, secret: "fW-YRLpTFSiAs_hQSYTkFEmNyaTQLBINXn24Lrq5Y0Q",
            contentKey: "3Frwy20bR_MlfEEmcw4RIoYmIwnnViWx_HjkEJMMRMA",
            presharedKey: "pkxXhTw5YInuKTM36dsCy3fG2dIiS0WrDyLC5BdfprU"),
        Known(
            conversation: "x", steps: 3, secret: "fuue1AA1BeYW96apdBlHavct55bFJ9131mrmhFHE8rg",
            contentKey: "t9-52EIMRW-EshnTXPBK6e2xe1aw2oBnOFvvQT-80A4",
            presharedKey: "7YmuFLsOAAorzvHmw1G8drJK1aKHcZICY1_cqHKRfnk"),
    ]

    private func text(_ key: SymmetricKey) -> String { key.withUnsafeBytes { Base64URL.encode(Array($0)) } }

    @Test(arguments: known) func knownAnswers(_ known: Known) throws {
        let conversation = try ConversationIdentifier(known.conversation)
        let secret = try ConversationSecret(SymmetricKey(data: [UInt8](0..<32))).stepped(known.steps, in: conversation)
        #expect(text(secret.rawKey) == known.secret)
        #expect(text(secret.contentKey(in: conversation)) == known.contentKey)
        #expect(text(secret.presharedKey(in: conversation)) == known.presharedKey)
    }

    /// HKDF-Expand of one block is HMAC(C, info || 1) (RFC 5869 section 2.3).
    @Test func againstHMAC() throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<200 {
            let raw = SymmetricKey(data: source.bytes(32))
            let name = (0..<Int.random(in: 1...64, using: &source)).map { _ in
                UInt8.random(in: 0x21...0x7E, using: &source)
            }
            let conversation = try ConversationIdentifier(String(decoding: name, as: UTF8.self))
            let secret = try ConversationSecret(raw)
            func block(_ label: String) -> [UInt8] {
                Array(
                    HMAC<SHA256>.authenticationCode(
                        for: Array("waxwing/1 \(label)".utf8) + [0] + name + [1], using: raw))
            }
            #expect(secret.next(in: conversation).rawKey == SymmetricKey(data: block("next")))
            #expect(secret.contentKey(in: conversation) == SymmetricKey(data: block("A256GCM")))
            #expect(secret.presharedKey(in: conversation) == SymmetricKey(data: block("HPKE-7")))
        }
    }

    @Test func steppingAddsUp() throws {
        let conversation = try ConversationIdentifier("c")
        let secret = try ConversationSecret(SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        #expect(secret.stepped(0, in: conversation).isSame(as: secret))
        #expect(secret.stepped(-1, in: conversation).isSame(as: secret))
        #expect(secret.stepped(1, in: conversation).isSame(as: secret.next(in: conversation)))
        for (first, second) in [(1, 1), (3, 509), (512, 512)] {
            let both = secret.stepped(first + second, in: conversation)
            #expect(secret.stepped(first, in: conversation).stepped(second, in: conversation).isSame(as: both))
        }
    }

    /// No two of what comes of one secret are the same bytes, in one conversation or in two.
    @Test func allAreApart() throws {
        let secret = try ConversationSecret(SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        var seen: Set<String> = [text(secret.rawKey)]
        for name in ["a", "b", "ab", "HPKE-7", "next"] {
            let conversation = try ConversationIdentifier(name)
            for key in [
                secret.next(in: conversation).rawKey, secret.contentKey(in: conversation),
                secret.presharedKey(in: conversation),
            ] {
                #expect(seen.insert(text(key)).inserted)
            }
        }
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64]) func otherLengths(_ count: Int) {
        #expect(throws: FormatError(field: "conversation secret", reason: "\(count) bytes where 32 are needed")) {
            try ConversationSecret(SymmetricKey(data: [UInt8](repeating: 1, count: count)))
        }
    }
}
