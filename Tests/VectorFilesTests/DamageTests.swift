import EnvelopeFormat
import Testing
import VectorFiles

/// What is wrong with a file is found: a value that was changed fails its case, a form that was changed is an error that names it.
@Suite struct DamageTests {
    static let samples = [Sample.gcm, Sample.hkdf, Sample.hmac, Sample.argon2id, Sample.sha, Sample.rfc4231]

    private func judge(_ text: String) throws(FormatError) -> VectorTally? { try VectorFormats.judge(Array(text.utf8)) }

    private func changed(_ text: String, _ part: String, _ other: String) throws -> String {
        try #require(text.contains(part))
        return text.replacing(part, with: other, maxReplacements: 1)
    }

    @Test(arguments: samples) func nothingFailsOfWhatIsPublished(_ text: String) throws {
        let tally = try #require(try judge(text))
        #expect(tally.failures == [] && tally.ran == tally.cases && tally.cases > 0)
        // As a file from elsewhere may have its lines.
        #expect(try judge(text.replacing("\n", with: "\r\n"))?.passed == tally.passed)
    }

    @Test(arguments: [
        (Sample.gcm, "ee8257", "ee8256", "count 0 of Keylen 256 IVlen 96 PTlen 128 AADlen 128 Taglen 128: not opened"),
        (Sample.gcm, "85fc3d", "85fc3c", "count 0 of Keylen 256 IVlen 96 PTlen 128 AADlen 128 Taglen 128: opened to another message"),
        (Sample.hkdf, "3cb25f", "3cb25e", "count 1: another key"), (Sample.hkdf, "077709", "077708", "count 1: another pseudorandom key"),
        (Sample.sha, "28969c", "28969d", "Len 8: another digest"),
        (Sample.rfc4231, "5bdcc1", "5bdcc0", "Len 224: another code"), (Sample.mac, "5bdcc1", "5bdcc0", "count 0 of L 32: another code"),
        (Sample.hmac, "b175b5", "b175b4", "case 1: another code"), (Sample.argon2id, "03aab9", "03aab8", "count 1: another output"),
    ]) func aFlippedBitFailsItsCase(_ text: String, _ part: String, _ other: String, _ failure: String) throws {
        let tally = try #require(try judge(changed(text, part, other)))
        #expect(tally.failures == [failure])
    }

    /// A case that says the opposite is a failure, too: what is not refused, and what is.
    @Test func theOppositeFails() throws {
        let taken = try changed(Sample.gcm, "PT = 85fc3dfad9b5a8d3258e4fc44571bd3b", "FAIL")
        #expect(try judge(taken)?.failures.first?.hasSuffix("opened, and must be refused") == true)
        let refused = try changed(Sample.gcm, "FAIL", "PT = 85fc3dfad9b5a8d3258e4fc44571bd3b")
        #expect(try judge(refused)?.failures.first?.hasSuffix("not opened") == true)
        #expect(try judge(changed(Sample.hmac, "\"valid\"", "\"invalid\""))?.failures == ["case 1: another code"])
    }

    @Test(arguments: [
        (Sample.gcm, "Tag = ee", "Tag = eg", "Tag: not hexadecimal digits"), (Sample.gcm, "Tag = ee", "Tag = e", "Tag: an odd number of"),
        (Sample.gcm, "Tag = ee82", "Tag = ee", "Tag: 120 bits where Taglen says another number"),
        (Sample.gcm, "CT = 42", "XX = 42", "CT: missing"),
        (Sample.gcm, "FAIL", "", "PT: one of PT and FAIL must be there"), (Sample.gcm, "AAD = 7e", "IV = 7e", "IV: there twice"),
        (Sample.hkdf, "L    = 42", "L    = 41", "OKM: not as long as L says"),
        (Sample.hkdf, "L    = 42", "L    = many", "L: missing or no number"), (Sample.hmac, "b175", "b17", "tag: an odd number of"),
        (Sample.hmac, "\"numberOfTests\": 2", "\"numberOfTests\": 3", "numberOfTests: 3, where there are 2 cases"),
        (Sample.hmac, "\"numberOfTests\": 2, ", "", "numberOfTests: missing"), (Sample.hmac, "\"valid\"", "\"perhaps\"", "result: unknown"),
        (Sample.hmac, "\"tcId\": 1, ", "", "tcId: missing"), (Sample.hmac, "}]}]}", "}]}]", "JSON: not one whole value"),
        (Sample.sha, "Len = 8", "Len = 16", "Msg: not as long as Len says"), (Sample.sha, "Len = 8", "Len = 8x", "Len: no number"),
        (Sample.mac, "Klen = 4", "Klen = 5", "Key: not as long as Klen says"), (Sample.mac, "Tlen = 10", "Tlen = 9", "Mac: not as long as"),
        (Sample.argon2id, "length = 32", "length = 16", "output: not as long as length says"),
    ]) func aFormThatIsWrongIsNamed(_ text: String, _ part: String, _ other: String, _ reason: String) throws {
        let text = try changed(text, part, other)
        let error = #expect(throws: FormatError.self) { try judge(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// Wherever a text is cut off, it is damaged, of no format that is read any more, or whole up to a record.
    @Test func whatIsCutOffIsNotTakenForWhole() throws {
        for text in Self.samples {
            let whole = try #require(try judge(text))
            for count in stride(from: 0, to: text.utf8.count, by: 7) {
                guard let tally = try? VectorFormats.judge(Array(text.utf8.prefix(count))) else { continue }
                let isWhole = text.utf8.dropFirst(count).allSatisfy { $0 == 0x0A }
                #expect(tally.failures == [] && (isWhole || tally.ran < whole.ran), "\(count) bytes")
            }
        }
    }

    /// A file that holds vectors of others, or none.
    @Test func whatIsNotUsedIsCounted() throws {
        let other = try #require(try judge("COUNT = 0\nPLAINTEXT = 00112233445566778899\nCOUNT = 1\nPLAINTEXT = 00\n"))
        #expect(other.notApplicable == ["of another algorithm, or in a form that is not read": 2])
        let another = try #require(try judge(changed(changed(Sample.hmac, "HMACSHA256", "HMACSHA3-256"), "b175b5", "b175b4")))
        #expect(another.notApplicable == ["HMACSHA3-256 is not used": 2])
        let mac = try #require(try judge(Sample.mac))
        #expect(mac.passed == 2 && mac.failures == [] && mac.notApplicable == ["another hash than SHA-256": 1])
        let digest = try changed(changed(Sample.sha, "\"SHA-256", "\"SHA-512/256"), "e3b0c442", "e3b0c443")
        #expect(try judge(changed(digest, "28969c", "28969d"))?.notApplicable == ["another hash than SHA-256": 2])
        let prk = try changed(changed(Sample.hkdf, "SHA-256", "SHA-1"), "b50f9c3122ec844ad7c2b3e5", "")
        #expect(try judge(prk)?.notApplicable == ["hash SHA-1": 1])
        for text in ["", "{}", "[]", "[1]", "count=3\nexit 0\n", "# a page\n\nText.\n", "{\"algorithm\": \"x\"}", "\u{0}\u{1}count = 1"] {
            let tally = try judge(text)
            #expect(tally == nil, "\(text)")
        }
    }

    /// Lengths that are not taken are put to the code, which has to refuse them.
    @Test func whatIsOfAnotherLengthIsAskedAndRefused() throws {
        for (name, bytes, why) in [("Key", 16, "key of 128 bits"), ("IV", 8, "IV not of 96 bits"), ("Tag", 12, "tag not of 128 bits")] {
            let lengths = ["Key": 32, "IV": 12, "Tag": 16].merging([name: bytes]) { $1 }
            func line(_ name: String) -> String { "\(name) = \(String(repeating: "00", count: lengths[name] ?? 0))\n" }
            let text = """
                [Keylen = \(8 * (lengths["Key"] ?? 0))]
                [IVlen = \(8 * (lengths["IV"] ?? 0))]
                [PTlen = 0]
                [AADlen = 0]
                [Taglen = \(8 * (lengths["Tag"] ?? 0))]
                Count = 0
                CT =
                AAD =
                FAIL

                """
            #expect(try judge(text + line("Key") + line("IV") + line("Tag"))?.notApplicable == [why: 1])
        }
    }
}
