import CryptoPrimitives
import EnvelopeFormat
import Testing

/// The grammar of everything that has a name.
@Suite struct NameTests {
    private static let handle = "ABCDEFGHIJKLMNO_"

    @Test(arguments: [0, 1, 9, 10, 99, 100, 65_534, 65_535]) func keyIdentifier(_ epoch: Int) throws {
        let text = "\(Self.handle).\(epoch)"
        let kid = try #require(KeyIdentifier(text))
        #expect(kid.handle.string == Self.handle)
        #expect(kid.epoch == epoch)
        #expect(kid.description == text)
        #expect(try KeyIdentifier(handle: kid.handle, epoch: epoch) == kid)
    }

    @Test(arguments: [
        "", ".", "0", ".0", "\(handle)", "\(handle).", "\(handle)0", "\(handle).00", "\(handle).01", "\(handle).65536",
        "\(handle).99999",
        "\(handle).065535", "\(handle).100000", "\(handle).4294967296", "\(handle).18446744073709551616",
        "\(handle).-1", "\(handle).+1",
        "\(handle).1 ", "\(handle). 1", " \(handle).1", "\(handle).1\n", "\(handle).1\u{0}", "\(handle).0x1",
        "\(handle).1e1", "\(handle).1.0",
        "\(handle)..1", "\(handle).１", "\(handle).٣", "\(handle),1", "ABCDEFGHIJKLMNO.1", "ABCDEFGHIJKLMNOPQ.1",
        "ABCDEFGHIJKLMN==.1",
        "ABCDEFGHIJ+LMNO_.1", "ABCDEFGHIJ/LMNO_.1", "ABCDEFGHIJ\u{212A}MN_.1", "ABCDEFGHIJ LMNO_.1",
        "ABCDEFGHIJKLMN\u{E9}.1",
    ]) func notAKeyIdentifier(_ text: String) {
        #expect(KeyIdentifier(text) == nil)
    }

    @Test func epochsOutOfRange() throws {
        let handle = try #require(Handle(Self.handle))
        for epoch in [-1, 65_536, Int.max, Int.min] {
            #expect(throws: FormatError(field: "kid", reason: "epoch \(epoch) is outside 0 to 65535")) {
                try KeyIdentifier(handle: handle, epoch: epoch)
            }
        }
        let last = try KeyIdentifier(handle: handle, epoch: 65_535)
        #expect(last.at(epoch: 65_536) == nil)
        #expect(last.at(epoch: 0)?.epoch == 0)
    }

    @Test func handles() throws {
        #expect(try Handle(bytes: [UInt8](repeating: 0xFF, count: 12)).string == "________________")
        #expect(try Handle(bytes: [UInt8](repeating: 0, count: 12)).string == "AAAAAAAAAAAAAAAA")
        for count in [0, 11, 13, 16] {
            #expect(throws: FormatError(field: "handle", reason: "\(count) bytes where 12 are needed")) {
                try Handle(bytes: [UInt8](repeating: 0, count: count))
            }
        }
        for text in [
            "", "AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAA+A", "AAAAAAAAAAAAAA A",
            "ÄAAAAAAAAAAAAAA",
        ] {
            #expect(Handle(text) == nil)
        }
    }

    /// The example of RFC 7638 is of an RSA key; this one was computed with Python's hashlib from the canonical JSON.
    @Test func thumbprint() throws {
        let x = try #require(Base64URL.decode("axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY"))
        let y = try #require(Base64URL.decode("T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"))
        let key = try P256.KeyAgreement.PublicKey(x963Representation: [4] + x + y)
        #expect(DeviceThumbprint(of: key).string == "xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M")
    }

    @Test func thumbprintsAsText() {
        let good = String(repeating: "A", count: 43)
        #expect(DeviceThumbprint(good)?.string == good)
        for text in [
            "", String(repeating: "A", count: 42), String(repeating: "A", count: 44), good + "=",
            String(repeating: "A", count: 42) + "B",
            String(repeating: "A", count: 42) + " ", "urn:ietf:params:oauth:jwk-thumbprint:sha-256:" + good,
            String(repeating: "A", count: 42) + "\u{212A}",
        ] {
            #expect(DeviceThumbprint(text) == nil)
        }
    }

    @Test func conversations() throws {
        let all = String(String.UnicodeScalarView((0x21...0x7E).compactMap { Unicode.Scalar($0) }))
        for text in ["x", String(all.prefix(64)), String(all.suffix(30)), String(repeating: "~", count: 64)] {
            #expect(try ConversationIdentifier(text).string == text)
        }
        for text in [
            "", String(repeating: "x", count: 65), "a b", " a", "a ", "a\n", "a\u{7F}", "a\u{0}", "é", "\u{212A}",
            "a\u{AD}b", "ａ",
        ] {
            #expect(throws: FormatError.self) { try ConversationIdentifier(text) }
        }
    }

    @Test func messages() throws {
        let bytes = [UInt8](0..<16)
        let message = try MessageIdentifier(bytes: bytes)
        #expect(message.description == "AAECAwQFBgcICQoLDA0ODw")
        #expect(message.bytes == bytes)
        #expect(MessageIdentifier("AAECAwQFBgcICQoLDA0ODw") == message)
        for text in [
            "", "AAECAwQFBgcICQoLDA0OD", "AAECAwQFBgcICQoLDA0ODwA", "AAECAwQFBgcICQoLDA0ODx",
            "AAECAwQFBgcICQoLDA0ODw==",
            "AAECAwQFBgcICQoLDA0OD\u{212A}", "00010203-0405-0607-0809-0a0b0c0d0e0f", "AAECAwQFBgcICQoLDA0O",
            "AAECAwQFBgcICQoLDA0OD ",
        ] {
            #expect(MessageIdentifier(text) == nil)
        }
        for count in [0, 15, 17] {
            #expect(throws: FormatError(field: "jti", reason: "\(count) bytes where 16 are needed")) {
                try MessageIdentifier(bytes: [UInt8](repeating: 0, count: count))
            }
        }
    }

    /// Words are compared by code points: to Swift's `==` the Kelvin sign is a K.
    @Test func wordsAreExact() {
        #expect(KeyAlgorithm(exactly: "HPKE-7") == .hpke7)
        #expect(KeyAlgorithm(exactly: "HP\u{212A}E-7") == nil)
        #expect(KeyAlgorithm(exactly: "dir") == .dir)
        for word in ["DIR", "dir ", "", "hpke-7", "HPKE-7-KE", "HPKE-70", "A256GCM"] {
            #expect(KeyAlgorithm(exactly: word) == nil)
        }
        #expect(LockState(exactly: "before-first-unlock") == .beforeFirstUnlock)
        #expect(!"K".isSame(as: "\u{212A}"))
        #expect(!"\u{E9}".isSame(as: "e\u{301}"))
        #expect("e\u{301}".isSame(as: "e\u{301}"))
    }

    @Test func classes() {
        let names = [
            "when-unlocked", "when-unlocked-this-device-only", "after-first-unlock",
            "after-first-unlock-this-device-only",
            "when-passcode-set-this-device-only",
        ]
        #expect(AccessibilityClass.allCases.map(\.rawValue) == names)
        #expect(AccessibilityClass.allCases.map { $0.isReadable(in: .unlocked) } == [true, true, true, true, true])
        #expect(AccessibilityClass.allCases.map { $0.isReadable(in: .locked) } == [false, false, true, true, false])
        #expect(
            AccessibilityClass.allCases.map { $0.isReadable(in: .beforeFirstUnlock) } == [
                false, false, false, false, false,
            ])
        #expect(AccessibilityClass.allCases.map(\.isProvisionable) == [true, true, true, true, false])
        #expect(AccessibilityClass.allCases.map(\.isThisDeviceOnly) == [false, true, false, true, true])
        #expect(AccessibilityClass.standard == .afterFirstUnlockThisDeviceOnly)
        #expect(KeyState.allCases.filter(\.opens) == [.active, .deactivated])
    }
}
