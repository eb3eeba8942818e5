import Foundation
import TestSupport
import Testing

/// `kat --vectors` where the folder is not as it should be. What is wrong within a file is VectorFilesTests' matter.
@Suite struct KatVectorsTests {
    private static let hkdf = """
        COUNT = 1
        Hash = SHA-256
        IKM = 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b
        salt = 000102030405060708090a0b0c
        info = f0f1f2f3f4f5f6f7f8f9
        L = 42
        PRK = 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5
        OKM = 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865

        """
    private static let passes = "RFC 5869 HKDF, 1 case: 1 ran, 1 passed, 0 refused as they must be, 0 failed; 0 not applicable"

    /// A workplace with a folder `v` that has one good file, not quite at the top.
    private func place(_ place: Workplace? = nil) throws -> Workplace {
        let place = try place ?? Workplace()
        let folder = place.folder.appendingPathComponent("v/deep/er")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try place.write(Self.hkdf, to: "v/deep/er/some name")
        return place
    }

    private func run(_ line: String, in place: Workplace, _ status: Int32, _ location: SourceLocation = #_sourceLocation) throws -> Finished
    {
        let finished = try place.run(line)
        #expect(finished.status == status, "\(line): \(finished.outputText)\(finished.errorText)", sourceLocation: location)
        return finished
    }

    @Test func aFolderThatIsNotThereOrIsNone() throws {
        let place = try place()
        #expect(try run("keyctl kat --vectors missing", in: place, 66).errorText == "keyctl: error: missing: there is no such file\n")
        #expect(try run("mkdir empty; keyctl kat --vectors empty", in: place, 66).errorText.contains("empty: no vector file is in it"))
        let none = try run("mkdir others; echo text > others/LICENSE; keyctl kat --vectors others", in: place, 66)
        #expect(none.outputLines == ["others/LICENSE: not a vector file"])
        #expect(try run("mkfifo pipe; keyctl kat --vectors pipe", in: place, 65).errorText.contains("pipe: is neither a folder nor a file"))
        #expect(try run("keyctl kat --vectors /dev/zero", in: place, 65).output.isEmpty)
        #expect(
            try run("keyctl kat --vectors 'v/deep/er/some name'", in: place, 0).outputLines.first == "v/deep/er/some name: \(Self.passes)")
        // One good folder does not make up for others, nor is it kept from being looked at.
        let three = try run("keyctl kat --vectors missing --vectors empty --vectors v", in: place, 66)
        #expect(
            three.outputLines.count == 2 && three.outputLines[0] == "v/deep/er/some name: \(Self.passes)" && three.errorLines.count == 3)
        _ = try run("sed s/3cb25f/3cb25e/ v/deep/er/* > flipped; keyctl kat --vectors missing --vectors flipped", in: place, 1)
    }

    @Test func whatIsNoFileIsSaidAndNotRead() throws {
        let place = try place()
        let made = """
            mkfifo v/pipe; ln -s . v/loop; ln -s self v/self; ln -s missing v/lost; ln -s deep v/linked; ln -s ../v/deep/er/'some name' v/link
            ln -s /dev/zero v/zero
            """
        _ = try run(made, in: place, 0)
        let finished = try run("keyctl kat --vectors v/", in: place, 0)
        #expect(
            finished.outputLines.dropLast() == [
                "v/deep/er/some name: \(Self.passes)", "v/link: \(Self.passes)", "v/linked: a link to a folder, not followed",
                "v/loop: a link to a folder, not followed", "v/lost: a link that leads nowhere", "v/pipe: something else than a file",
                "v/self: a link that leads nowhere", "v/zero: something else than a file",
            ])
        #expect(finished.outputLines.last?.hasSuffix("; 0 damaged or not read, 6 not vector files") == true)
    }

    @Test(.enabled(if: OtherUsers.canRunTheProgram)) func whatMayNotBeReadIsSaid() throws {
        let place = try place(OtherUsers.place())
        _ = try run("mkdir -m 700 v/closed; cp v/deep/er/* v/shut; chmod 600 v/shut", in: place, 0)
        let finished = try run("\(OtherUsers.stranger) keyctl kat --vectors v", in: place, 77)
        #expect(
            finished.outputLines.dropLast() == [
                "v/closed: not read: not permitted to this user", "v/deep/er/some name: \(Self.passes)",
                "v/shut: not read: not permitted to this user",
            ])
        #expect(try run("chmod 700 v; \(OtherUsers.stranger) keyctl kat --vectors v", in: place, 77).output.isEmpty)
    }

    @Test func aHugeFileIsNotRead() throws {
        let place = try place()
        let finished = try run("truncate -s 100G v/huge; keyctl kat --vectors v", in: place, 65)
        #expect(finished.outputLines[1] == "v/huge: not read: is larger than 268435456 bytes")
    }

    @Test func aNameThatIsNoText() throws {
        let place = try place()
        let finished = try run(
            "mkdir v/odd; touch \"$(printf 'v/odd/\\377')\"; cp v/deep/er/* v/odd/good; keyctl kat --vectors v", in: place, 65)
        #expect(
            finished.outputLines[1...].dropLast() == [#"v/odd/\xff: not read: its name is not UTF-8"#, "v/odd/good: \(Self.passes)"])
    }

    /// What fails decides, then what is damaged; in JSON as in plain form.
    @Test func theExitCodeSaysTheWorst() throws {
        let place = try place()
        _ = try run("sed s/3cb25f/3cb25e/ v/deep/er/* > v/flipped; head -c 200 v/deep/er/* > v/cut", in: place, 0)
        let finished = try run("keyctl kat --vectors v", in: place, 1)
        #expect(finished.outputLines.contains("  failed: count 1: another key"))
        #expect(
            finished.outputLines.first == "v/cut: damaged: count 1, OKM: an odd number of hexadecimal digits"
                || finished.outputText.contains("v/cut: damaged: count 1, "))
        let json = try run("keyctl kat --json --quiet --vectors v", in: place, 1)
        let objects = try json.outputLines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(objects.map { $0["file"] as? String } == ["v/cut", "v/deep/er/some name", "v/flipped"] && json.errorText.isEmpty)
        #expect(
            objects[0]["error"] != nil && objects[1]["passed"] as? Int == 1
                && objects[2]["failures"] as? [String] == ["count 1: another key"])
        #expect(try run("rm v/flipped; keyctl kat --vectors v", in: place, 65).errorText.isEmpty)
    }

    /// What is damaged beside what failed, in one file and in another, keeps no failure from being told.
    @Test func damageHidesNoFailure() throws {
        let place = try place()
        try place.write(
            Self.hkdf.replacing("3cb25f", with: "3cb25e") + Self.hkdf.replacing("COUNT = 1", with: "COUNT = 3"), to: "v/both")
        let lines = try run("keyctl kat --vectors v/both", in: place, 1).outputLines
        #expect(lines[1...2] == ["  failed: count 1: another key", "  damaged: COUNT 3: follows 1"])
        #expect(lines.last?.contains("1 failed; 0 not applicable; 1 damaged or not read") == true)
        #expect(try run("keyctl kat --json --vectors v/both", in: place, 1).outputText.contains(#""error":"COUNT 3: follows 1""#))
        try place.write(#"{"format":"waxwing-cases/1","count":2,"cases":[]}"#, to: "count.json")
        try place.write(#"{"format":"waxwing-cases/1","count":1,"cases":[{"id":"x","kind":"other","expect":{}}]}"#, to: "differs.json")
        let cases = try run("keyctl kat --cases count.json --cases differs.json", in: place, 1)
        #expect(cases.outputText.contains("not as expected: x") && cases.errorText.contains("count.json: count: not 0"))
        _ = try run("keyctl kat --cases count.json", in: place, 65)
    }

    /// What is named like a vector file is not passed over, nor is what is one in another encoding.
    @Test func whatIsNamedLikeOneIsNotPassedOver() throws {
        let place = try place()
        _ = try run("echo '{}' > v/a.json; echo text > v/b.RSP; echo text > v/README.txt", in: place, 0)
        _ = try run("printf '\\357\\273\\277{\"algorithm\":\"x\",\"schema\":1}' > v/marked", in: place, 0)
        _ = try run("cat v/deep/er/* | tr '\\n' '\\r' > v/old", in: place, 0)
        let lines = try run("keyctl kat --vectors v", in: place, 65).outputLines
        let unknown = "damaged: of no form that is known, and named like a vector file"
        let encoding = "damaged: encoding: not UTF-8 without a byte order mark, in lines that end with a line feed"
        #expect(
            lines.dropLast() == [
                "v/README.txt: not a vector file", "v/a.json: \(unknown)", "v/b.RSP: \(unknown)", "v/deep/er/some name: \(Self.passes)",
                "v/marked: \(encoding)", "v/old: \(encoding)",
            ])
    }

    /// A case file in which something is left out, or is misspelt, is refused, or ends with 1.
    @Test func whatACaseFileLeavesOut() throws {
        let place = try place()
        let (head, one) = (#"{"format":"waxwing-cases/1","count":"#, #"{"id":"x","kind":"enroll","document_b64":"","#)
        try place.write(#"{"format":"waxwing-cases/1","cases":[\#(one)"expect":{"outcome":"bad-input"}}]}"#, to: "count.json")
        try place.write(head + #"0,"cases":[]}"#, to: "empty.json")
        try place.write(head + #"1,"cases":[\#(one)"expct":{"outcome":"enrolled"}}]}"#, to: "misspelt.json")
        let two = #"2,"cases":[\#(one)"expect":{"outcome":"bad-input"}},{"id":"y","kind":"enroll","document_b64":""}]}"#
        try place.write(head + two, to: "some.json")
        for (name, reason) in [
            ("count", "count: not 1"), ("empty", "cases: there is none"), ("misspelt", "case x, expct: a member that there is not"),
        ] {
            #expect(try run("keyctl kat --cases \(name).json", in: place, 65).errorText.contains("\(name).json: \(reason)"))
        }
        let some = try run("keyctl kat --cases some.json", in: place, 1).outputLines
        #expect(some == ["some.json: 2 answered, 1 of 1 as expected", "  without expect, which others have: 1"])
        #expect(
            try run("keyctl kat --vectors some.json", in: place, 65).outputText.contains("expect: 1 of 2 cases have none, and others do"))
    }

    @Test func allThreeGoTogether() throws {
        let place = try place()
        try place.write(
            #"{"format":"waxwing-cases/1","count":1,"cases":[{"id":"x","kind":"enroll","document_b64":""}]}"#, to: "cases.json")
        let lines = try run("keyctl kat --vectors v --built-in --cases cases.json", in: place, 0).outputLines
        #expect(lines.contains("built in: 27 checks, 27 passed, 0 failed") && lines.contains("v/deep/er/some name: \(Self.passes)"))
        #expect(lines.last == "cases.json: 1 answered")
        #expect(try run("keyctl kat --vectors v", in: place, 0).outputLines.count == 2)
        let json = try run("keyctl kat --vectors v --built-in --json", in: place, 0).outputLines
        #expect(json.count == 2 && json[0].hasPrefix(#"{"built_in":[{"name":"AES-256-GCM seal""#))
    }

    /// One mistake of the code fails a whole file: it is not all printed.
    @Test func manyFailuresAreCut() throws {
        let place = try place()
        let text = Self.hkdf.replacing("3cb2", with: "3cb3")
        try place.write((1...30).map { text.replacing("COUNT = 1", with: "COUNT = \($0)") }.joined(), to: "v/all")
        let lines = try run("keyctl kat --vectors v", in: place, 1).outputLines
        #expect(lines[0].contains("30 cases: 30 ran, 0 passed, 0 refused as they must be, 30 failed"))
        #expect(lines[1...].prefix { $0.hasPrefix("  failed: ") }.count == 20 && lines[21] == "  and 10 more")
        #expect(try run("keyctl kat --vectors v --json", in: place, 1).outputText.components(separatedBy: ": another key").count == 31)
    }
}
