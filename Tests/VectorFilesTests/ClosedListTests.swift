import EnvelopeFormat
import Testing
import VectorFiles

/// What is not applicable is so by a known name, and what it names is not ours: one value that was changed turns no file into another's.
@Suite struct ClosedListTests {
    private func error(_ text: String) -> String? {
        #expect(throws: FormatError.self) { try VectorFormats.judge(Array(text.utf8)) }?.description
    }

    @Test(
        arguments: [
            (Sample.hmac, "HMACSHA256", "HMACSHA257", "algorithm: HMACSHA257: neither ours nor a known other one"),
            (Sample.hmac, "HMACSHA256", "HMACSHA3-256", "algorithm: HMACSHA3-256, and what stands there is of ours"),
            (Sample.hmac, "HMACSHA256", "AES-GCM", "case 1, "),
            (Sample.hkdf, "Hash = SHA-256", "Hash = SHA3-256", "Hash: SHA3-256: neither"),
            (Sample.sha, "\"SHA-256 ", "\"SHA-512/256 ", "hash: another than SHA-256, and what stands there is of ours"),
            (Sample.sha, "\"SHA-256 ", "\"SHA-257 ", "hash: the remarks name none that is known"),
            (Sample.rfc4231, "HMAC-SHA256", "HMAC-SHA384", "hash: another than SHA-256, and"),
            (Sample.mac, "[L=32]", "[L=48]", "L: 48, and what stands there is of ours"),
            (Sample.mac, "[L=32]", "[L=20]", "Tlen: longer than L"),
            (Sample.argon2id, "iter = 3", "iter = 1001", "more work than is accepted: at most 1048576 KiB, 1000 passes and 256 lanes"),
            (Sample.argon2id, "memcost = 32", "memcost = 1310720", "more work than is accepted"),
            (Sample.argon2id, "pass = ", "ad = 00\npass = ", "secret or ad: there, and what stands there is of ours"),
        ] as [(String, String, String, String)]) func anotherNameIsDamage(
            _ text: String, _ part: String, _ other: String, _ reason: String
        ) throws
    {
        try #require(text.contains(part))
        let description = error(text.replacing(part, with: other, maxReplacements: 1))
        #expect(description?.contains(reason) == true, "\(description ?? "")")
    }

    /// A text that is known by its names has whole records, and no other lines.
    @Test(
        arguments: [
            (Sample.hkdf, "Hash = SHA-256\n", "", "Hash: missing"), (Sample.hkdf, "PRK ", "# ", "PRK: missing"),
            (Sample.hkdf, "IKM ", "IKN ", "IKM: missing"), (Sample.hkdf, "OKM ", "Okm ", "OKM: missing"),
            (Sample.hkdf, "COUNT = 1\n", "COUNT = 1\nMode = 2\n", "Mode: a line that such a record does not have"),
            (Sample.argon2id, "memcost", "mencost", "memcost: missing"), (Sample.argon2id, "iter", "itre", "iter: missing"),
            (Sample.gcm, "PT = 85fc", "Plain = 00\nPT = 85fc", "Plain: a line that such"),
            (Sample.mac, "Klen = 4\nTlen = 32\n", "Klen = 4\n", "Tlen: missing"),
        ] as [(String, String, String, String)]) func recordsAreWhole(
            _ text: String, _ part: String, _ other: String, _ reason: String
        ) throws
    {
        try #require(text.contains(part))
        let description = error(text.replacing(part, with: other, maxReplacements: 1))
        #expect(description?.contains(reason) == true, "\(description ?? "")")
    }

    /// The key in between is in all records or in none where they begin at 0.
    @Test func allOrNoneHaveTheKey() throws {
        let none = Sample.hkdf.replacing("COUNT = 1", with: "COUNT = 0").replacing("PRK ", with: "# ")
        #expect(try VectorFormats.judge(Array(none.utf8))?.passed == 1)
        let second = "\n" + Sample.hkdf
        #expect(error(none + second)?.contains("count 1, PRK: a line that such a record does not have") == true)
        let both = Sample.hkdf.replacing("COUNT = 1", with: "COUNT = 0") + second
        #expect(try VectorFormats.judge(Array(both.utf8))?.passed == 2)
        #expect(error(both.replacing("PRK ", with: "# ", maxReplacements: 1)) != nil)
    }

    /// Cut off within the first record, behind any line but the first, a text is damaged and not of another form.
    @Test(arguments: [Sample.hkdf, Sample.argon2id, Sample.gcm, Sample.sha])
    func whatIsCutInItsFirstRecord(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { !$0.hasPrefix("#") })
        let isOfTwo = text == Sample.gcm || text == Sample.sha
        let end = isOfTwo ? try #require(lines[first...].firstIndex { $0.hasPrefix("Tag") || $0.hasPrefix("MD") }) : lines.count - 1
        for count in (first + 2)..<end {
            let cut = lines[..<count].joined(separator: "\n") + "\n"
            #expect(throws: FormatError.self, "\(cut)") { try VectorFormats.judge(Array(cut.utf8)) }
        }
    }

    @Test func nothingIsInIt() {
        let empty = #"{"algorithm": "AES-GCM", "schema": "s", "numberOfTests": 0, "testGroups": []}"#
        #expect(error(empty) == "file: nothing in it")
        #expect(error(empty.replacing("[]", with: #"[{"tests": []}]"#)) == "file: nothing in it")
    }

    /// In another encoding, or behind a byte order mark, a file is damaged. What is no vector file in any is none.
    @Test(arguments: [Sample.hkdf, Sample.hmac, Sample.gcm, Sample.argon2id])
    func otherEncodings(_ text: String) throws {
        let wide: [UInt8] = text.utf8.reduce(into: []) { $0 += [$1, 0] }
        let others: [[UInt8]] = [
            [0xEF, 0xBB, 0xBF] + text.utf8, [0xFF, 0xFE] + wide, wide, [0xFE, 0xFF, 0] + wide.dropLast(),
            Array(text.replacing("\n", with: "\r").utf8),
        ]
        for other in others where !(text == Sample.hmac && other == others[4]) {
            #expect(throws: FormatError.self, "\(other.prefix(8))") { try VectorFormats.judge(other) }
        }
        for other in [[0xEF, 0xBB, 0xBF] + Array("A page.\n".utf8), [0xFF, 0xFE, 0x41, 0], Array("One\rTwo".utf8)] {
            let tally = try VectorFormats.judge(other)
            #expect(tally == nil)
        }
    }

    @Test func whatIsNamedLikeOne() {
        for (name, isNamed) in [("a.json", true), ("v/A.RSP", true), ("a.txt", false), ("json", false), ("a.json.txt", false)] {
            #expect(VectorFormats.isNamedLikeOne(name) == isNamed, "\(name)")
        }
    }
}
