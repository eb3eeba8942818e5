import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// Steps 4 and 5 of opening: the form of the envelope, each flaw by its outcome and in the order of the page.
@Suite struct EnvelopeStepTests {
    private static let kid = "AAAAAAAAAAAAAAAA.7"
    private static let device = String(repeating: "A", count: 43)
    private static let name = Base64URL.encode(Array(kid.utf8))

    private static let direct = [
        ("alg", #""dir""#), ("enc", #""A256GCM""#), ("kid", "\"\(kid)\""), ("typ", #""wax1""#),
    ]
    private static let hpke = [
        ("alg", #""HPKE-7""#), ("kid", "\"\(device)\""), ("psk_id", "\"\(name)\""), ("typ", #""wax1""#),
    ]
    private static let point = [UInt8(4)] + [UInt8](repeating: 1, count: 64)
    private static let directParts: [[UInt8]] = [
        [], [UInt8](repeating: 0, count: 12), [1, 2, 3], [UInt8](repeating: 0, count: 16),
    ]
    private static let hpkeParts: [[UInt8]] = [point, [], [UInt8](repeating: 0, count: 16), []]

    private static func compact(_ header: [(String, String)], _ parts: [[UInt8]]) -> [UInt8] {
        let text = "{" + header.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        return Array(([Array(text.utf8)] + parts).map { Base64URL.encode($0) }.joined(separator: ".").utf8)
    }

    private static func outcome(_ text: [UInt8]) -> Outcome? {
        do {
            _ = try SealedPayload(message: text)
            return nil
        } catch {
            return error
        }
    }

    /// A change to the header: another value, or nil to leave the member out.
    private typealias Change = (name: String, value: String?)

    private static func changed(_ header: [(String, String)], _ changes: [Change]) -> [(String, String)] {
        var header = header
        for change in changes {
            header.removeAll { $0.0 == change.name }
            if let value = change.value { header.append((change.name, value)) }
        }
        return header
    }

    @Test func goodOnes() throws {
        let direct = try SealedPayload(message: Self.compact(Self.direct, Self.directParts))
        #expect(direct.algorithm == .dir)
        #expect(direct.keyIdentifier?.description == Self.kid)
        let hpke = try SealedPayload(message: Self.compact(Self.hpke, Self.hpkeParts))
        #expect(hpke.algorithm == .hpke7)
        #expect(hpke.keyIdentifier?.description == Self.kid)
        guard case .hpke7(let envelope) = hpke else { return }
        #expect(envelope.recipient.string == Self.device)
        #expect(envelope.presharedKey.bytes == Array(Self.kid.utf8))
    }

    @Test func anyOrderAnyWhiteSpaceAnyEscape() {
        #expect(Self.outcome(Self.compact(Self.direct.reversed(), Self.directParts)) == nil)
        #expect(Self.outcome(Self.compact(Self.hpke.reversed(), Self.hpkeParts)) == nil)
        let header =
            " \n{ \"typ\"\t: \"wa\\u00781\" , \"\\u0061lg\":\"dir\",\"kid\":\"\(Self.kid)\",\r\n\"enc\":\"A256GC\\u004d\" } "
        #expect(
            Self.outcome(
                Sample.compact(
                    header: header, [], [UInt8](repeating: 0, count: 12), [], [UInt8](repeating: 0, count: 16))) == nil)
    }

    /// Flaws of step 5 in its order. Of two at once the outcome of the earlier stage counts.
    private struct Flaw {
        let stage: Int
        let outcome: Outcome
        var changes: [Change] = []
        var part: (index: Int, bytes: [UInt8])?
    }

    private static func common(_ own: String) -> [Flaw] {
        [
            Flaw(stage: 1, outcome: .malformed, changes: [("alg", nil)]),
            Flaw(stage: 1, outcome: .malformed, changes: [("kid", nil)]),
            Flaw(stage: 2, outcome: .unsupported, changes: [("typ", nil)]),
            Flaw(stage: 2, outcome: .unsupported, changes: [("typ", #""WAX1""#)]),
            Flaw(stage: 2, outcome: .unsupported, changes: [("typ", #""wax1-key""#)]),
            Flaw(stage: 2, outcome: .unsupported, changes: [("typ", #""""#)]),
            Flaw(stage: 3, outcome: .unsupported, changes: [("alg", #""none""#)]),
            Flaw(stage: 3, outcome: .unsupported, changes: [("alg", #""split""#)]),
            Flaw(stage: 3, outcome: .unsupported, changes: [("alg", "\"HP\u{212A}E-7\"")]),
            Flaw(stage: 3, outcome: .unsupported, changes: [("alg", #""""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("crit", #""exp""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("zip", #""DEF""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("", #""""#)]),
        ]
    }

    private static let directFlaws =
        common("dir") + [
            Flaw(stage: 4, outcome: .unsupported, changes: [("enc", #""A128GCM""#)]),
            Flaw(stage: 4, outcome: .unsupported, changes: [("enc", #""a256gcm""#)]),
            Flaw(stage: 4, outcome: .unsupported, changes: [("enc", #""""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("enc", nil)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("psk_id", "\"\(name)\"")]),
            Flaw(stage: 6, outcome: .malformed, part: (0, [1])), Flaw(stage: 6, outcome: .malformed, part: (0, point)),
            Flaw(stage: 6, outcome: .malformed, part: (1, [])),
            Flaw(stage: 6, outcome: .malformed, part: (1, [UInt8](repeating: 0, count: 11))),
            Flaw(stage: 6, outcome: .malformed, part: (1, [UInt8](repeating: 0, count: 13))),
            Flaw(stage: 6, outcome: .malformed, part: (3, [])),
            Flaw(stage: 6, outcome: .malformed, part: (3, [UInt8](repeating: 0, count: 15))),
            Flaw(stage: 6, outcome: .malformed, part: (3, [UInt8](repeating: 0, count: 17))),
        ]
        + ["AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAA.65536", "AAAAAAAAAAAAAAAA.07", "AAAAAAAAAAAAAAA.7", ""].map {
            Flaw(stage: 6, outcome: .malformed, changes: [("kid", "\"\($0)\"")])
        }

    private static let hpkeFlaws =
        common("HPKE-7") + [
            Flaw(stage: 5, outcome: .malformed, changes: [("enc", #""A256GCM""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("enc", #""A128GCM""#)]),
            Flaw(stage: 5, outcome: .malformed, changes: [("psk_id", nil)]),
            Flaw(stage: 6, outcome: .malformed, part: (0, [])),
            Flaw(stage: 6, outcome: .malformed, part: (0, Array(point.dropLast()))),
            Flaw(stage: 6, outcome: .malformed, part: (0, point + [0])),
            Flaw(stage: 6, outcome: .malformed, part: (0, [2] + point.dropFirst())),
            Flaw(stage: 6, outcome: .malformed, part: (0, [6] + point.dropFirst())),
            Flaw(stage: 6, outcome: .malformed, part: (1, [0])),
            Flaw(stage: 6, outcome: .malformed, part: (2, [UInt8](repeating: 0, count: 15))),
            Flaw(stage: 6, outcome: .malformed, part: (2, [])), Flaw(stage: 6, outcome: .malformed, part: (3, [0])),
            Flaw(stage: 6, outcome: .malformed, changes: [("kid", "\"\(kid)\"")]),
            Flaw(stage: 6, outcome: .malformed, changes: [("kid", "\"\(device)=\"")]),
            Flaw(stage: 6, outcome: .malformed, changes: [("kid", "\"\(String(repeating: "A", count: 42))B\"")]),
            Flaw(stage: 6, outcome: .malformed, changes: [("psk_id", "\"\(kid)\"")]),
            Flaw(stage: 6, outcome: .malformed, changes: [("psk_id", #""""#)]),
            Flaw(stage: 6, outcome: .malformed, changes: [("psk_id", #""_w""#)]),
            Flaw(stage: 6, outcome: .malformed, changes: [("psk_id", #""ZW5yb2xs""#)]),
        ]

    private func check(_ flaws: [Flaw], _ header: [(String, String)], _ parts: [[UInt8]]) {
        for first in flaws {
            for second in flaws {
                let names = Set(first.changes.map(\.name))
                if second.changes.contains(where: { names.contains($0.name) }),
                    first.changes.first?.value != second.changes.first?.value
                {
                    continue
                }
                if let one = first.part, let other = second.part, one.index == other.index, one.bytes != other.bytes {
                    continue
                }
                var parts = parts
                for flaw in [first, second] { if let part = flaw.part { parts[part.index] = part.bytes } }
                let text = Self.compact(Self.changed(header, first.changes + second.changes), parts)
                // `enc` is another algorithm's only while `alg` is dir.
                let expected = first.stage <= second.stage ? first.outcome : second.outcome
                #expect(Self.outcome(text) == expected, "\(first) \(second)")
            }
        }
    }

    @Test func everyPairOfFlawsOfDir() { check(Self.directFlaws, Self.direct, Self.directParts) }
    @Test func everyPairOfFlawsOfHPKE() { check(Self.hpkeFlaws, Self.hpke, Self.hpkeParts) }

    /// Step 4 goes before step 5: a header that would be unsupported is malformed first.
    @Test func formBeforeMeaning() {
        let other = Self.changed(Self.direct, [("typ", #""other""#)])
        #expect(Self.outcome(Self.compact(other, Self.directParts)) == .unsupported)
        #expect(Self.outcome(Self.compact(other, Array(Self.directParts.dropLast()))) == .malformed)
        #expect(Self.outcome(Self.compact(other, Self.directParts + [[]])) == .malformed)
        #expect(Self.outcome(Self.compact(other + [("x", "1")], Self.directParts)) == .malformed)
        #expect(Self.outcome(Self.compact(other + [("alg", #""dir""#)], Self.directParts)) == .malformed)
        #expect(Self.outcome(Self.compact(other, Self.directParts) + [0x21]) == .malformed)
    }

    @Test(arguments: [
        "", ".", "....", ".....", "e30", "e30....", "e30.e30.e30.e30.e30", "W10....", "bnVsbA....", "MQ....", "IiI....",
        "e30=....", "e31....",
    ]) func malformedAltogether(_ text: String) {
        #expect(Self.outcome(Array(text.utf8)) == .malformed)
    }

    /// A value that is no string is malformed in any member, also in one that does not belong there.
    @Test(arguments: ["null", "1", "true", "[]", "{}", #"["dir"]"#]) func headerOfStringsAlone(_ value: String) {
        for name in ["alg", "enc", "kid", "typ", "crit", "jwk"] {
            #expect(
                Self.outcome(Self.compact(Self.changed(Self.direct, [(name, value)]), Self.directParts)) == .malformed)
        }
    }
}
