import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// A provisioning bundle there and back, and each flaw of its envelope and JWK (bundle spec, section 3).
@Suite struct BundleEnvelopeTests {
    private static let now: Int64 = 1_700_000_100
    private static let enrollment = SymmetricKey(data: [UInt8](repeating: 5, count: 32))
    private static let secretText = Base64URL.encode([UInt8](32..<64))

    private func bundle(algorithm: KeyAlgorithm = .dir, accessible: AccessibilityClass = .standard, sequence: Int64 = 9)
        throws -> ProvisioningBundle
    {
        try ProvisioningBundle(
            kid: try Sample.kid(), secret: try Sample.secret(), algorithm: algorithm,
            conversation: try Sample.conversation(),
            sequence: sequence, validity: try Validity(issuedAt: 1_700_000_000, expiresAt: 1_700_000_600),
            accessible: accessible)
    }

    private func open(_ text: [UInt8], now: Int64 = now, enrollment: SymmetricKey = enrollment) throws
        -> ProvisioningBundle
    {
        try ProvisioningBundle.open(
            try ProvisioningBundle.envelope(text), with: Sample.device, enrollmentSecret: enrollment, now: now)
    }

    /// Seals any plaintext as a bundle.
    private func seal(_ jwk: String) throws -> [UInt8] {
        var sender = try Sample.sender(.enrollment, key: Self.enrollment)
        var writer = ByteWriter(capacity: 64)
        try Array(jwk.utf8).withUnsafeBytes {
            try HPKEEnvelope.append(
                $0,
                encodedHeader: HPKEEnvelope.encodedHeader(
                    to: DeviceThumbprint(of: Sample.device.publicKey), presharedKey: .enrollment),
                sender: &sender, to: &writer)
        }
        return writer.bytes
    }

    private func outcome(_ jwk: String, now: Int64 = now) throws -> Outcome? {
        do {
            _ = try open(try seal(jwk), now: now)
            return nil
        } catch {
            return error as? Outcome
        }
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7], AccessibilityClass.allCases.filter(\.isProvisionable))
    func thereAndBack(_ algorithm: KeyAlgorithm, _ accessible: AccessibilityClass) throws {
        var sender = try Sample.sender(.enrollment, key: Self.enrollment)
        let bundle = try bundle(algorithm: algorithm, accessible: accessible, sequence: 9_007_199_254_740_991)
        let text = try bundle.sealed(to: DeviceThumbprint(of: Sample.device.publicKey), sender: &sender)
        let opened = try open(Array(text.utf8))
        #expect(opened.kid == bundle.kid)
        #expect(opened.secret.isSame(as: bundle.secret))
        #expect(opened.algorithm == algorithm)
        #expect(opened.conversation == bundle.conversation)
        #expect(opened.sequence == 9_007_199_254_740_991)
        #expect(opened.validity == bundle.validity)
        #expect(opened.accessible == accessible)
        let envelope = try ProvisioningBundle.envelope(Array(text.utf8))
        #expect(envelope.presharedKey == .enrollment)
        let plaintext = try envelope.open(with: Sample.device, presharedKey: Self.enrollment)
        #expect(
            String(decoding: plaintext, as: UTF8.self)
                == Self.jwk([
                    ("jwe_alg", "\"\(algorithm.rawValue)\""),
                    ("accessible", "\"\(accessible.rawValue)\""), ("seq", "9007199254740991"),
                ]))
    }

    private static let order = ["kty", "k", "kid", "jwe_alg", "use", "sub", "seq", "iat", "exp", "accessible"]

    /// The JWK with other values; nil leaves a member out, a new name is added.
    private static func jwk(_ changes: [(String, String?)] = []) -> String {
        var values: [String: String] = [
            "kty": #""oct""#, "k": "\"\(secretText)\"", "kid": "\"\((try? Sample.kid())?.description ?? "")\"",
            "jwe_alg": #""dir""#,
            "use": #""enc""#, "sub": #""conv-1""#, "seq": "9", "iat": "1700000000", "exp": "1700000600",
            "accessible": #""after-first-unlock-this-device-only""#,
        ]
        for (name, value) in changes { values[name] = value }
        let names = order + changes.map(\.0).filter { !order.contains($0) }
        return "{" + names.compactMap { name in values[name].map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
    }

    @Test func whatIsIgnored() throws {
        #expect(try outcome(Self.jwk()) == nil)
        for change in [
            ("alg", "\"A256GCM\""), ("alg", "1"), ("nbf", "99999999999999"), ("nbf", "null"), ("key_ops", "[]"),
            ("x", "{\"k\":null}"),
            ("K", "\"\""),
        ] {
            #expect(try outcome(Self.jwk([change])) == nil, "\(change)")
        }
        #expect(try outcome("  " + Self.jwk() + "\n\n  ") == nil)
        #expect(try outcome(Self.jwk().replacingOccurrences(of: "\"k\":", with: "\"\\u006b\" :")) == nil)
        #expect(
            try open(try seal(Self.jwk([("k", "\"\\u0049CEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8\"")]))).secret
                .isSame(as: Sample.secret()))
    }

    @Test(arguments: order) func everyMemberIsRequired(_ name: String) throws {
        #expect(try outcome(Self.jwk([(name, nil)])) == .badClaims)
        for value in ["null", "true", "{}", "[]", #""""#, "-1", "1.5"] {
            #expect(try outcome(Self.jwk([(name, value)])) == .badClaims, "\(name): \(value)")
        }
    }

    static let wrong: [(String, String)] = [
        ("kty", #""OCT""#), ("kty", #""RSA""#), ("use", #""sig""#), ("jwe_alg", #""split""#), ("jwe_alg", #""DIR""#),
        ("jwe_alg", #""A256GCM""#),
        ("jwe_alg", "\"HP\u{212A}E-7\""), ("k", "\"\(secretText)=\""), ("k", #""AAAA""#), ("k", "\"\(secretText)A\""),
        ("k", "\"\(secretText.dropLast())9\""), ("k", "\"\(secretText.dropLast()) \""), ("kid", #""AAAAAAAAAAAAAAAA""#),
        ("kid", #""AAAAAAAAAAAAAAAA.65536""#), ("kid", #""AAAAAAAAAAAAAAAA.07""#), ("sub", #""a b""#),
        ("sub", "\"\u{212A}\""),
        ("seq", #""9""#), ("seq", "9.0"), ("seq", "9007199254740992"), ("iat", "1.7e9"), ("exp", "1700000000"),
        ("exp", "1699999999"),
        ("exp", "1702678401"), ("iat", "9007199254740992"), ("accessible", #""always""#),
        ("accessible", #""when-passcode-set-this-device-only""#),
        ("accessible", #""When-Unlocked""#),
    ]

    @Test(arguments: wrong) func wrongValue(_ name: String, _ value: String) throws {
        #expect(try outcome(Self.jwk([(name, value)])) == .badClaims)
    }

    @Test(arguments: [
        "", "[]", "null", "\"x\"", "{}", jwk() + "x", jwk() + "\u{0}", "\u{FEFF}" + jwk(),
        jwk().dropLast() + ",\"kid\":\"x\"}",
        jwk().dropLast() + ",\"\\u006b\":\"\(secretText)\"}", "[\(jwk())]",
        jwk([("x", String(repeating: "[", count: 16) + String(repeating: "]", count: 16))]),
    ]) func notAJWK(_ jwk: String) throws {
        #expect(try outcome(jwk) == .badClaims)
    }

    @Test func itsTime() throws {
        let jwk = Self.jwk()
        #expect(try outcome(jwk, now: 1_700_000_599) == nil)
        #expect(try outcome(jwk, now: 1_700_000_600) == .expired)
        #expect(try outcome(jwk, now: 1_699_999_400) == nil)
        #expect(try outcome(jwk, now: 1_699_999_399) == .notYetValid)
        #expect(try outcome(Self.jwk([("exp", "1702678400")]), now: 1_702_678_399) == nil)
        #expect(try outcome(Self.jwk([("use", #""sig""#)]), now: 1_800_000_000) == .badClaims)
    }

    @Test func envelopesThatAreNone() throws {
        func outcome(_ text: [UInt8]) -> Outcome? {
            do {
                _ = try ProvisioningBundle.envelope(text)
                return nil
            } catch {
                return error
            }
        }
        let point = [UInt8(4)] + [UInt8](repeating: 1, count: 64)
        let device = String(repeating: "A", count: 43)
        func text(_ header: String) -> [UInt8] {
            Sample.compact(header: header, point, [], [UInt8](repeating: 0, count: 16), [])
        }
        #expect(outcome(text(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"ZW5yb2xs","typ":"wax1-key"}"#)) == nil)
        #expect(outcome(text(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"ZW5yb2xs","typ":"wax1"}"#)) == .unsupported)
        #expect(outcome(text(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"ZW5yb2xs"}"#)) == .unsupported)
        #expect(
            outcome(text(#"{"alg":"dir","enc":"A256GCM","kid":"AAAAAAAAAAAAAAAA.0","typ":"wax1-key"}"#)) == .unsupported
        )
        #expect(outcome(text(#"{"alg":"dir","enc":"x","kid":"AAAAAAAAAAAAAAAA.0","typ":"wax1-key"}"#)) == .unsupported)
        #expect(outcome(text(#"{"kid":"\#(device)","psk_id":"ZW5yb2xs","typ":"wax1"}"#)) == .malformed)
        #expect(outcome(text(#"{"alg":"HPKE-7","psk_id":"ZW5yb2xs","typ":"wax1"}"#)) == .malformed)
        #expect(outcome(text(#"{"alg":"HPKE-7","kid":"\#(device)","typ":"wax1-key"}"#)) == .malformed)
        #expect(
            outcome(text(#"{"alg":"HPKE-7","enc":"A256GCM","kid":"\#(device)","psk_id":"ZW5yb2xs","typ":"wax1-key"}"#))
                == .malformed)
        for name in ["enroll", "RW5yb2xs", "ZW5yb2xsAA", "", Base64URL.encode(Array("AAAAAAAAAAAAAAAA.0".utf8))] {
            #expect(
                outcome(text(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"\#(name)","typ":"wax1-key"}"#))
                    == .malformed)
        }
        // A message's psk_id that says "enroll" is none of a message either.
        #expect(throws: Outcome.malformed) {
            try SealedPayload(message: text(#"{"alg":"HPKE-7","kid":"\#(device)","psk_id":"ZW5yb2xs","typ":"wax1"}"#))
        }
    }

    @Test func anotherEnrollmentSecret() throws {
        let text = try seal(Self.jwk())
        #expect(throws: Outcome.notAuthentic) { try open(text, enrollment: SymmetricKey(size: .bits256)) }
        let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        var ciphertext = try #require(Base64URL.decode(parts[3]))
        ciphertext[0] ^= 1
        let altered = Array(
            "\(String(decoding: parts[0], as: UTF8.self)).\(String(decoding: parts[1], as: UTF8.self))..\(Base64URL.encode(ciphertext))."
                .utf8)
        #expect(throws: Outcome.notAuthentic) { try open(altered) }
    }

    @Test func whatIsNotMade() throws {
        #expect(throws: FormatError(field: "jwe_alg", reason: "neither dir nor HPKE-7")) {
            try bundle(algorithm: .split)
        }
        #expect(throws: FormatError(field: "accessible", reason: "not a class a bundle may name")) {
            try bundle(accessible: .whenPasscodeSetThisDeviceOnly)
        }
        for sequence in [-1, 9_007_199_254_740_992, Int64.min] {
            #expect(throws: FormatError(field: "seq", reason: "outside 0 to 2^53-1")) { try bundle(sequence: sequence) }
        }
        #expect(throws: FormatError(field: "exp", reason: "missing")) {
            try ProvisioningBundle(
                kid: try Sample.kid(), secret: try Sample.secret(), algorithm: .dir,
                conversation: try Sample.conversation(), sequence: 1,
                validity: try Validity(issuedAt: 1, expiresAt: nil), accessible: .standard)
        }
    }
}
