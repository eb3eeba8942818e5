import EnvelopeFormat
import Foundation
import Simulator
import TestSupport
import Testing

/// Known-answer files: the project's own, the handed ones where they are, and the runner itself.
@Suite struct CaseFileTests {
    private static let own = ProjectFolder.root.appendingPathComponent("Tests/Vectors")
    private static let handed = ProjectFolder.folder("WAXWING_CASES", else: "../shared/cases")?.appendingPathComponent("handed")

    private func run(_ text: String) throws -> (answers: [JSONValue], summary: CaseSummary) {
        var answers: [JSONValue] = []
        let summary = try CaseFile(Array(text.utf8)).run { answers.append($0) }
        return (answers, summary)
    }

    private func everyCaseMatches(_ folder: URL) throws {
        var fileCount = 0
        for file in try ProjectFolder.files(in: folder, ending: "json") {
            let bytes = try ProjectFolder.bytes(file)
            // Others have vectors of a form of their own.
            guard let cases = try? CaseFile(bytes) else { continue }
            fileCount += 1
            let count = try count(bytes)
            let summary = try cases.run { _ in }
            #expect(summary.failed == [], "\(file.lastPathComponent)")
            #expect(summary.matched == count, "\(file.lastPathComponent)")
            #expect(summary.answered == count, "\(file.lastPathComponent)")
        }
        #expect(fileCount == 6)
    }

    /// The file's `count`. As a case may hold what strict JSON refuses, it is looked for and no more of the file is read.
    private func count(_ bytes: [UInt8]) throws -> Int {
        let text = String(decoding: bytes.prefix(1_000), as: UTF8.self)
        let digits = try #require(
            text.firstRange(of: "\"count\":").map { text[$0.upperBound...].drop { $0 == " " }.prefix(while: \.isNumber) })
        return try #require(Int(digits))
    }

    @Test func ownVectors() throws { try everyCaseMatches(Self.own) }

    @Test(.enabled(if: handed != nil, "no handed cases: name their folder by WAXWING_CASES"))
    func handedCases() throws { try everyCaseMatches(try #require(Self.handed)) }

    /// Those of the enrollment documents that come alone, as cases: what a store refuses by itself is bad input here too.
    @Test func enrollmentDocuments() throws {
        let file = try JSONValue.parse(try ProjectFolder.bytes(Self.own.appendingPathComponent("enrollment.json")))
        guard case .array(let documents)? = file["documents"] else { throw CocoaError(.fileReadCorruptFile) }
        let alone = try documents.filter { $0["before"] == nil }.map { document in
            let members = try #require(document.members).filter { ["id", "document_b64", "expect"].contains($0.name) }
            return JSONValue.object(members + [JSONMember("kind", .string("enroll"))])
        }
        let text = String(decoding: JSONValue.array(alone).write(), as: UTF8.self)
        let (answers, summary) = try run(#"{"format":"waxwing-cases/1","count":\#(alone.count),"cases":\#(text)}"#)
        #expect(summary.failed == [] && summary.matched == alone.count)
        #expect(Set(answers.map { $0["outcome"]?.text }) == ["enrolled", "bad-input"])
    }

    // MARK: The runner itself

    private static let secret = String(repeating: "A", count: 43)

    private func derive(_ identifier: String, _ more: String = "", secret: String = secret, steps: String = "0")
        -> String
    {
        #"{"id":"\#(identifier)","kind":"derive","derive":{"sub":"c","k":"\#(secret)","steps":\#(steps)}\#(more)}"#
    }

    private func file(_ cases: String...) -> String {
        #"{"format":"waxwing-cases/1","count":\#(cases.count),"cases":[\#(cases.joined(separator: ","))]}"#
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"format":"waxwing-cases/2","cases":[]}"#, #"{"format":"waxwing-cases/1"}"#,
        #"{"format":"waxwing-cases/1","cases":{}}"#,
        #"{"format":"waxwing-cases/1","cases":[]} {}"#, #"{"format":"waxwing-cases/1","cases":[{"id":"cut","#,
        #"{"format":"waxwing-cases/1","cases":["cut"#, #"{"format":"waxwing-cases/1","count":1,"cases":[]}"#,
        #"{"format":"waxwing-cases/1","count":"0","cases":[]}"#, #"{"format":"waxwing-cases/1","cases":[],"cases":[]}"#,
        #"{"format":"waxwing-cases/1","count":0,"cases":[]}"#, #"{"format":"waxwing-cases/1","cases":[{"id":"a","kind":"derive"}]}"#,
        #"{"format":"waxwing-cases/1","count":1,"ring":{},"cases":[{"id":"a","kind":"derive"}]}"#,
    ]) func notACaseFile(_ text: String) {
        #expect(throws: FormatError.self) { try CaseFile(Array(text.utf8)) }
    }

    /// What strict JSON refuses inside a case is bad input to seal, and keeps nobody from the cases around it.
    @Test(arguments: [
        #""title":"\#\ud800""#, #""title":"a","title":"b""#, #""data":NaN"#,
        #""data":\#(String(repeating: "[", count: 500))\#(String(repeating: "]", count: 500))"#,
    ])
    func aCaseThatIsNotStrictJSON(_ flaw: String) throws {
        let seal = #"{"id":"odd","kind":"seal","seal":{"claims":{\#(flaw)}},"expect":{"outcome":"bad-input"}}"#
        let open = #"{"id":"open","ring":"r","env":{\#(flaw)},"expect":{"outcome":"opened"}}"#
        let (answers, summary) = try run(file(derive("before"), seal, open, derive("after")))
        #expect(answers.map { $0["id"]?.text } == ["before", "odd", "open", "after"])
        #expect(answers.map { $0["outcome"]?.text } == ["derived", "bad-input", "unreadable", "derived"])
        #expect(summary.failed == ["open"])
    }

    @Test func aCaseWithoutAName() throws {
        #expect(throws: FormatError(field: "id", reason: "missing or not a string")) {
            try run(file(#"{"kind":"derive"}"#))
        }
    }

    /// What is expected is an object, and a name is of one case: otherwise nothing is answered, and the case is named.
    @Test(arguments: [
        (#""expect":null"#, "case a, expect"), (#""expect":"derived""#, "case a, expect"), (#""expect":[]"#, "case a, expect"),
        (#""expect":{},"expect":{}"#, "case a, JSON"),
    ])
    func aCaseThatCannotBeHeldToAnything(_ member: String, _ field: String) throws {
        let error = #expect(throws: FormatError.self) { try run(file(derive("b"), #"{"id":"a","kind":"derive",\#(member)}"#)) }
        #expect(error?.field == field)
        #expect(throws: FormatError(field: "case b, id", reason: "there twice")) { try run(file(derive("b"), derive("b"))) }
    }

    /// What a case of its kind does not have may be misspelt: nothing is answered.
    @Test(arguments: ["expct", "Expect", "ring", "payload_b64", "seal"]) func aMemberThatThereIsNot(_ name: String) throws {
        let error = #expect(throws: FormatError.self) { try run(file(derive("a", ",\"\(name)\":{}"))) }
        #expect(error?.description == "case a, \(name): a member that there is not")
        #expect(throws: FormatError.self) { try run(file(#"{"id":"a","knid":"derive","derive":{}}"#)) }
    }

    /// Within a case such a member makes the case unreadable.
    @Test func aMemberThatThereIsNotWithin() throws {
        let (_, ring) = try self.ring()
        func reason(_ more: String, _ ring: String) throws -> String? {
            let one = #"{"id":"o","ring":"r","payload_b64":"",\#(more)}"#
            let text = #"{"format":"waxwing-cases/1","count":1,"rings":{"r":\#(ring)},"cases":[\#(one)]}"#
            return try run(text).answers[0]["reason"]?.text
        }
        let env = #""env":{"now":5,"lock":"unlocked"}"#
        #expect(try reason(env, ring) == nil)
        #expect(try reason(#""env":{"now":5,"lock":"unlocked","repaly":"ok"}"#, ring) == "env, repaly: a member that there is not")
        #expect(try reason(env + #","before":[{"evn":{}}]"#, ring) == "before, evn: a member that there is not")
        let split = ring.replacing("\"allow_split\"", with: "\"alow_split\"")
        #expect(try reason(env, split) == "ring, alow_split: a member that there is not")
        #expect(
            try reason(env, ring.replacing("\"enrollment_secret\"", with: "\"last_sq\":1,\"enrollment_secret\""))
                == "ring, device, last_sq: a member that there is not")
        let steps = #"{"id":"d","kind":"derive","derive":{"sub":"c","k":"\#(Self.secret)","steps":0,"step":1}}"#
        #expect(try run(file(steps)).answers[0]["reason"]?.text == "derive, step: a member that there is not")
    }

    /// Where some say what is expected, the others are counted.
    @Test func someSayWhatIsExpected() throws {
        #expect(try run(file(derive("a"), derive("b"))).summary.unheld == 0)
        #expect(try run(file(derive("a"), derive("b", ",\"expect\":{}"), derive("c"))).summary.unheld == 2)
    }

    /// What cannot be read is answered, counted as failed, and keeps nobody from the next.
    @Test func unreadableCases() throws {
        let (answers, summary) = try run(
            file(
                derive("short", secret: "AAAA"), derive("steps", steps: "-1"), #"{"id":"kind","kind":"other"}"#,
                #"{"id":"number","kind":5}"#,
                #"{"id":"ring","ring":"none","env":{"now":1,"lock":"unlocked"},"payload_b64":""}"#, derive("good")))
        #expect(
            answers.map { $0["outcome"]?.text } == [
                "unreadable", "unreadable", "unreadable", "unreadable", "unreadable", "derived",
            ])
        #expect(answers.map { $0["id"]?.text } == ["short", "steps", "kind", "number", "ring", "good"])
        #expect(answers[0]["reason"]?.text == "conversation secret: 3 bytes where 32 are needed")
        #expect(summary.answered == 6)
        #expect(summary.matched == 0)
        #expect(summary.failed == ["short", "steps", "kind", "number", "ring"])
    }

    /// An answer is right only if it has all that is expected and nothing more.
    @Test func whatMatches() throws {
        let (answers, _) = try run(file(derive("a")))
        let answer = try #require(answers[0].members).filter { $0.name != "id" }
        func expecting(_ members: [JSONMember]) throws -> CaseSummary {
            let expected = String(decoding: JSONValue.object(members).write(), as: UTF8.self)
            return try run(file(derive("a", ",\"expect\":\(expected)"))).summary
        }
        #expect(try expecting(answer).matched == 1)
        #expect(try expecting(answer.reversed()).matched == 1)
        #expect(try expecting(Array(answer.dropLast())).failed == ["a"])
        #expect(try expecting(answer + [JSONMember("more", .null)]).failed == ["a"])
        #expect(try expecting([]).failed == ["a"])
        var wrong = answer
        wrong[1] = JSONMember(wrong[1].name, .string("x"))
        #expect(try expecting(wrong).failed == ["a"])
    }

    /// One seal by each algorithm, opened, with numbers that are the same as IEEE doubles and others.
    @Test func numbersCompareAsDoubles() throws {
        let (device, ring) = try self.ring()
        for algorithm in ["dir", "HPKE-7"] {
            let (sealed, _) = try run(file(#"{"id":"s","kind":"seal","seal":\#(seal(algorithm, device))}"#))
            let payload = try #require(sealed[0]["payload_b64"]?.text)
            func summary(_ number: String) throws -> CaseSummary {
                let expect = #"{"outcome":"opened","content":{"body":"b","data":{"n":\#(number)}}}"#
                let json =
                    #"{"format":"waxwing-cases/1","count":1,"rings":{"r":\#(ring)},"cases":[{"id":"o","ring":"r","env":{"now":5,"lock":"unlocked"},"#
                    + #""payload_b64":"\#(payload)","seal":\#(seal(algorithm, device)),"expect":\#(expect)}]}"#
                return try run(json).summary
            }
            #expect(try summary("1.50").matched == 1)
            #expect(try summary("15e-1").matched == 1)
            #expect(try summary("1.5000001").failed == ["o"])
            #expect(try summary("\"1.50\"").failed == ["o"])
        }
    }

    /// The steps before a case leave their traces for it, and for no other case.
    @Test func stepsBefore() throws {
        let (device, ring) = try self.ring()
        let (sealed, _) = try run(file(#"{"id":"s","kind":"seal","seal":\#(seal("dir", device))}"#))
        let payload = try #require(sealed[0]["payload_b64"]?.text)
        let step = #""env":{"now":5,"lock":"unlocked"},"payload_b64":"\#(payload)""#
        let bare = #""ring":"r",\#(step)"#
        let (answers, _) = try run(
            #"{"format":"waxwing-cases/1","count":3,"rings":{"r":\#(ring)},"cases":[{"id":"1",\#(bare),"before":[{\#(step)}]},{"id":"2",\#(bare)},"#
                + #"{"id":"3",\#(bare),"before":[]}]}"#)
        #expect(answers.map { $0["outcome"]?.text } == ["duplicate", "opened", "opened"])
        #expect(answers.map { $0["before"] } == [.array([.string("opened")]), nil, nil])
        #expect(answers[0]["content"] == nil)
    }

    private func seal(_ algorithm: String, _ device: String) -> String {
        let own =
            algorithm == "dir"
            ? #""iv":"AAAAAAAAAAAAAAAA""#
            : #""device":\#(device),"ephemeral":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE""#
        let handle = algorithm == "dir" ? "AAAAAAAAAAAAAAAA" : "BBBBBBBBBBBBBBBB"
        return
            #"{"rendering":"apns","alg":"\#(algorithm)","key":{"sub":"c","kid":"\#(handle).0","k":"\#(Self.secret)"},"#
            + #""claims":{"jti":"AAAAAAAAAAAAAAAAAAAAAA","iat":1,"sub":"c","body":"b","data":{"n":1.50}},"pad":"bucket","limit":4096,"#
            + #""type":"msg","body":"New",\#(own)}"#
    }

    /// The generator of P-256 as the public key of the private key 1.
    private func ring() throws -> (device: String, ring: String) {
        let point =
            #""kty":"EC","crv":"P-256","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY","y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU""#
        let key =
            #""sub":"c","k":"\#(Self.secret)","state":"active","open_until":null,"accessible":"after-first-unlock","older":[]"#
        let ring =
            #"{"device":{"jwk":{\#(point),"d":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"},"enrollment_secret":"\#(Self.secret)"},"#
            + #""allow_split":false,"keys":[{"jwe_alg":"dir","kid":"AAAAAAAAAAAAAAAA.0",\#(key)},{"jwe_alg":"HPKE-7","kid":"BBBBBBBBBBBBBBBB.0",\#(key)}]}"#
        return ("{\(point)}", ring)
    }
}
