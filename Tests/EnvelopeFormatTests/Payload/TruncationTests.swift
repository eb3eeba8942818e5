import EnvelopeFormat
import TestSupport
import Testing

/// A body that does not fit is cut to the most grapheme clusters that fit (envelope spec, section 5.6).
@Suite struct TruncationTests {
    /// Seals without cutting, nil when it does not fit.
    private func fits(_ claims: Claims, _ algorithm: KeyAlgorithm, _ frame: PayloadFrame) -> Bool {
        (try? Sample.seal(claims, algorithm, in: frame, overflow: .error)) != nil
    }

    /// Holds a cut to the page: at most the limit, opens, a prefix of whole clusters, and one cluster more does not fit.
    private func check(_ body: String, _ algorithm: KeyAlgorithm, limit: Int, title: String, isTruncated: Bool) throws {
        let frame = try Sample.frame(limit: limit)
        let claims = try Sample.claims(body: body, title: title, isTruncated: isTruncated)
        func shortened(_ clusters: Int) throws -> Claims {
            try Sample.claims(body: String(body.prefix(clusters)) + "…", title: title, isTruncated: true)
        }
        if fits(claims, algorithm, frame) {
            let payload = try Sample.seal(claims, algorithm, in: frame)
            #expect(!payload.isTruncated)
            #expect(try Claims(plaintext: Sample.open(payload: payload.bytes, limit: limit)) == claims)
            return
        }
        guard fits(try shortened(0), algorithm, frame) else {
            let error = #expect(throws: FormatError.self) { try Sample.seal(claims, algorithm, in: frame) }
            #expect(error?.doesNotFit == true)
            return
        }
        let payload = try Sample.seal(claims, algorithm, in: frame, padding: .bucket)
        #expect(payload.isTruncated)
        #expect(payload.bytes.count <= limit)
        let opened = try Claims(plaintext: Sample.open(payload: payload.bytes, limit: limit))
        #expect(opened.content.isTruncated)
        #expect(opened.content.title.map { $0.isSame(as: title) } == true)
        let cut = try #require(opened.content.body)
        let clusters = try #require((0...body.count).first { (String(body.prefix($0)) + "…").isSame(as: cut) })
        #expect(clusters < body.count)
        #expect(!fits(try shortened(clusters + 1), algorithm, frame), "\(clusters + 1) of \(body.count) clusters fit")
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func randomTexts(_ algorithm: KeyAlgorithm) throws {
        var source = RepeatableRandom.announced()
        let least = algorithm == .dir ? 360 : 550
        for _ in 0..<TestAmount.rounds(algorithm == .dir ? 400 : 60, slow: 5_000) {
            try check(
                RandomText.text(pieces: 0...120, using: &source), algorithm,
                limit: Int.random(in: least...least + 400, using: &source),
                title: RandomText.text(pieces: 0...4, using: &source), isTruncated: Bool.random(using: &source))
        }
    }

    /// Each room in turn, so that the cut falls before, inside and behind every cluster.
    @Test(arguments: [
        "ab👨‍👩‍👧‍👦c🇩🇪🇫🇷x", "e\u{301}\u{302}\u{303}e\u{301}", "\r\n\r\n\n\r", "क्त नि क्ष क्\u{200D}ष", "각\u{1100}\u{1161}\u{11A8}",
        "\"\\\u{0}\u{1F}\u{8}/", "שָׁלוֹם",
        "1️⃣2️⃣👍🏽", "a\u{600}b",
    ]) func everyRoom(_ text: String) throws {
        let body = String(repeating: text, count: 4)
        for limit in 300...520 { try check(body, .dir, limit: limit, title: "t", isTruncated: false) }
    }

    @Test func exactlyTheText() {
        #expect(Truncation.cut("abc", escapedByteCount: 2) == "ab…")
        #expect(Truncation.cut("abc", escapedByteCount: 0) == "…")
        #expect(Truncation.cut("abc", escapedByteCount: -5) == "…")
        #expect(Truncation.cut("", escapedByteCount: 5) == "…")
        #expect(Truncation.cut("a\"b", escapedByteCount: 2) == "a…")
        #expect(Truncation.cut("a\"b", escapedByteCount: 3) == "a\"…")
        #expect(Truncation.cut("\u{1}b", escapedByteCount: 5) == "…")
        #expect(Truncation.cut("\u{1}b", escapedByteCount: 6) == "\u{1}…")
        #expect(Truncation.cut("\r\nb", escapedByteCount: 3) == "…")
        #expect(Truncation.cut("\r\nb", escapedByteCount: 4).isSame(as: "\r\n…"))
        #expect(Truncation.cut("e\u{301}x", escapedByteCount: 2) == "…")
        #expect(Truncation.cut("e\u{301}x", escapedByteCount: 3).isSame(as: "e\u{301}…"))
        #expect(Truncation.cut("👨‍👩‍👧‍👦x", escapedByteCount: 24) == "…")
        #expect(Truncation.cut("👨‍👩‍👧‍👦x", escapedByteCount: 25) == "👨‍👩‍👧‍👦…")
        #expect(Truncation.cut("क्तx", escapedByteCount: 8) == "…")
        #expect(Truncation.cut("🇩🇪🇫🇷", escapedByteCount: 15) == "🇩🇪…")
    }

    /// One cluster that is larger than any room.
    @Test func aClusterOfTwoThousandMarks() throws {
        let body = "a" + String(repeating: "\u{301}", count: 2_000) + "b"
        #expect(body.count == 2)
        let payload = try Sample.seal(try Sample.claims(body: body), .dir, in: try Sample.frame())
        #expect(try Claims(plaintext: Sample.open(payload: payload.bytes, limit: 4_096)).content.body == "…")
    }

    @Test func nothingElseIsEverCut() throws {
        let long = String(repeating: "x", count: 4_000)
        let frame = try Sample.frame()
        for claims in [
            try Sample.claims(body: nil, title: long), try Sample.claims(body: "b", title: long),
            try Sample.claims(body: "b", data: [JSONMember("x", .string(long))]),
            try Sample.claims(body: nil, title: "t", data: [JSONMember("x", .string(long))]),
        ] {
            let error = #expect(throws: FormatError.self) { try Sample.seal(claims, .dir, in: frame) }
            #expect(error?.doesNotFit == true)
            #expect(error?.field == "request")
        }
    }

    @Test func whatTheCallerSaysOfItselfStays() throws {
        let claims = try Sample.claims(body: "b", isTruncated: true)
        let payload = try Sample.seal(claims, .dir, in: try Sample.frame())
        #expect(!payload.isTruncated)
        #expect(try Claims(plaintext: Sample.open(payload: payload.bytes, limit: 4_096)).content.isTruncated)
    }

    /// The other cut, by plain bytes: of text that is not inside of JSON.
    @Test func byBytes() throws {
        let body = "aé\u{1F469}\u{200D}\u{1F467}z"
        let bytes = Array(body).reduce(into: [0]) { $0.append($0[$0.count - 1] + String($1).utf8.count) }
        for byteCount in 3...(body.utf8.count + 4) {
            let clusters = try #require(bytes.lastIndex { $0 + 3 <= byteCount })
            #expect(try Truncation.cut(body, byteCount: byteCount) == body.prefix(clusters) + "…", "\(byteCount)")
        }
        for byteCount in [2, 0, -5] {
            let reason = "\(max(0, byteCount)) bytes fit, too few for any text"
            #expect(throws: FormatError(field: "body", reason: reason, doesNotFit: true)) {
                try Truncation.cut(body, byteCount: byteCount)
            }
        }
        let payload = try Sample.seal(try Sample.claims(body: "b"), .dir, in: try Sample.frame())
        #expect(!payload.isTruncated && payload.truncated.isTruncated)
        #expect(payload.truncated.bytes == payload.bytes && payload.truncated.bytesLeft == payload.bytesLeft)
    }
}
