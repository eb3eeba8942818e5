import EnvelopeFormat
import Foundation
import TestSupport
import Testing
import VectorFiles

/// What a file says of itself is held against it: lengths, numbers, sizes of groups, counts, names of members.
@Suite struct StatementTests {
    private func judge(_ text: String) throws(FormatError) -> VectorTally? { try VectorFormats.judge(Array(text.utf8)) }

    @Test(
        arguments: [
            // Numbers, and what stands in no record.
            (Sample.gcm, "Count = 1", "Count = 2", "Count 2: follows 0"), (Sample.gcm, "Count = 1", "Count = 0", "Count 0: follows 0"),
            (Sample.gcm, "Count = 0", "Count = 1", "Count 1: does not begin at 0"),
            (Sample.gcm, "Count = 0\n", "", "Key: in no record"), (Sample.gcm, "Count = 0", "Cuont = 0", "Cuont: in no record"),
            (Sample.hkdf, "COUNT = 1", "COUNT = 2", "COUNT 2: does not begin at 0"),
            (Sample.sha, "Len = 8", "Len = 0", "Len 0: not longer"),
            // Lengths.
            (Sample.gcm, "[Keylen = 256]", "[Keylen = 128]", "Key: 256 bits where"),
            (Sample.gcm, "[Taglen = 128]\n", "", "Taglen: missing"),
            (Sample.gcm, "Tag = f5fc50d18766bc3d9e16dd136d45816b\n", "", "Tag: missing"),
            (Sample.sha, "02c1", "02", "MD: 31 bytes"),
            (Sample.mac, "[L=20]", "[L=21]", "L: of no hash"),
            (Sample.hkdf, "SHA-256", "SHA-257", "Hash: SHA-257: neither ours nor a known other one"),
            (Sample.hkdf, "SHA-256", "SHA-1", "PRK: not as long"),
            (Sample.hmac, "\"tagSize\": 256", "\"tagSize\": 128", "tag: 256 bits where tagSize says 128"),
            (Sample.hmac, "\"tagSize\": 256, ", "", "tagSize: missing"),
            (Sample.hmac, "\"keySize\": 256", "\"keySize\": 255", "key: 256 bits where keySize says 255"),
            // Names.
            (Sample.hmac, "\"tcId\": 2", "\"tcId\": 1", "case 1, tcId: there twice"),
            (Sample.hmac, "\"result\": \"invalid\"", "\"result\": \"invalid\", \"result\": \"invalid\"", "JSON: a member twice"),
            (Sample.hmac, "\"keySize\"", "\"x\": {\"y\": 1, \"\\u0079\": 1}, \"keySize\"", "JSON: a member twice"),
        ] as [(String, String, String, String)]) func whatDoesNotFitIsDamage(
            _ text: String, _ part: String, _ other: String, _ reason: String
        ) throws
    {
        try #require(text.contains(part))
        let changed = text.replacing(part, with: other, maxReplacements: 1)
        let error = #expect(throws: FormatError.self) { try judge(changed) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// A code is compared in the length that its group says, and none is no code.
    @Test func noCodeIsTooShortToBeCompared() throws {
        let code = "b175b57d89ea6cb606fb3363f2538abd73a4c00b4a1386905bac809004cf1933"
        for count in [0, 2, 62] {
            let short = Sample.hmac.replacing(code, with: code.prefix(count))
            #expect(throws: FormatError.self) { try judge(short) }
        }
        let none = Sample.mac.replacing("Tlen = 10", with: "Tlen = 0").replacing("Mac = 5bdcc146bf60754e6a04\n", with: "Mac =\n")
        #expect(throws: FormatError.self) { try judge(none + (none.hasSuffix("\n") ? "" : "\n")) }
    }

    @Test func groupsAreOfOneSize() throws {
        let group = try #require(Sample.gcm.firstRange(of: "[Keylen")).lowerBound
        let cut = try #require(Sample.gcm.firstRange(of: "Count = 1")).lowerBound
        #expect(try judge(Sample.gcm + Sample.gcm[group...])?.ran == 4)
        #expect(throws: FormatError(field: "group 2", reason: "1 records, where the first has 2")) {
            try judge(Sample.gcm + Sample.gcm[group..<cut])
        }
    }

    /// Every failure of a damaged file is told, those before the damage and those after it.
    @Test func damageHidesNoFailure() throws {
        let text = Sample.gcm.replacing("85fc3d", with: "85fc3c").replacing("IV = 3deef6f4", with: "IV = 3deef6")
        let before = try #require(try judge(text))
        #expect(before.failures.count == 1 && before.damage?.field.hasSuffix(", IV") == true)
        let other = Sample.gcm.replacing("IV = df7c3bca", with: "IV = df7c3b").replacing(
            "FAIL", with: "PT = 85fc3dfad9b5a8d3258e4fc44571bd3b")
        let after = try #require(try judge(other))
        #expect(after.failures.count == 1 && after.damage?.field.hasSuffix(", IV") == true)
    }

    /// What is acceptable may be taken rightly or refused, of every algorithm.
    @Test func whatIsAcceptable() throws {
        let both = Sample.hmac.replacing("\"valid\"", with: "\"acceptable\"").replacing("\"invalid\"", with: "\"acceptable\"")
        let tally = try #require(try judge(both))
        #expect(tally.passed == 1 && tally.refused == 1 && tally.failures == [])
    }

    /// Numbers that would be sizes or places in memory are bounded first.
    @Test(arguments: [
        (#""change":{"cut":56}"#, #""change":{"cut":0,"byte":1}"#, "byte: of nothing"),
        (#""change":{"cut":56}"#, #""change":{"blocks":[9007199254740991]}"#, "blocks: there is none"),
        (#""change":{"cut":56}"#, #""change":{"blocks":[\#(String(repeating: "0,", count: 60_000))0]}"#, "blocks: "),
        (#""bytes":0,"#, #""bytes":9007199254740991,"#, "bytes: "), (#""bytes":0,"#, #""bytes":-1,"#, "bytes: "),
        (#""id":"a-02""#, #""id":"a-01""#, "id: there twice"), (#""count":59"#, #""count":58"#, "count: 58, where there are 59"),
    ]) func numbersOfAttachmentsAreBounded(_ part: String, _ other: String, _ reason: String) throws {
        let file = ProjectFolder.root.appendingPathComponent("Tests/Vectors/attachment.json")
        var text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(part))
        // Blocks of a long file, so that many of them are much.
        if reason == "blocks: " {
            text = text.replacing(#""file":"a-03","change":{"cut":56}"#, with: #""file":"a-10","change":{"cut":56}"#)
        }
        let changed = text.replacing(part, with: other, maxReplacements: 1)
        let error = #expect(throws: FormatError.self) { try judge(changed) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}
