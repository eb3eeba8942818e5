import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@Suite struct TimestampTests {
    @Test func againstFoundation() {
        var source = RepeatableRandom.announced()
        let style = Date.ISO8601FormatStyle()
        let edges: [Int64] = [
            0, 86_399, 86_400, 951_782_399, 951_782_400, 951_868_800, 4_107_542_399, 4_107_542_400, 253_402_300_799,
        ]
        for seconds in edges + (0..<500).map({ _ in Int64.random(in: 0..<253_402_300_800, using: &source) }) {
            let text = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(style)
            #expect(Timestamp.text(seconds) == text)
            #expect(Timestamp.parse(text) == seconds)
            #expect(Timestamp.parse("\(seconds)") == seconds)
        }
    }

    @Test func otherForms() {
        #expect(Timestamp.parse("2027-01-01") == 1_798_761_600)
        #expect(Timestamp.parse("2027-01-01T01:00:00.5+01:00") == 1_798_761_600)
        #expect(Timestamp.parse("2026-12-31t18:30:00-05:30") == 1_798_761_600)
        #expect(Timestamp.parse("2024-02-29") == 1_709_164_800)
        #expect(Timestamp.text(253_402_300_800) == "253402300800")
        #expect(Timestamp.text(-1) == "-1")
    }

    @Test(arguments: [
        "", "x", "-1", "1.5", "2027-13-01", "2027-00-01", "2027-02-29", "2027-04-31", "2027-01-00", "2027-1-1",
        "2027-01-01T00:00:00",
        "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T23:59:60Z", "2027-01-01T00:00:00.Z",
        "2027-01-01T00:00:00+0100",
        "2027-01-01T00:00:00+24:00", "2027-01-01T00:00:00Zx", "2027-01-01 00:00:00Z", "1969-12-31",
        "1970-01-01T00:00:00+01:00", "2100-02-29",
        "9007199254740992", "2027-01-01T", "２０２７-01-01",
    ]) func notATime(_ text: String) {
        #expect(Timestamp.parse(text) == nil)
    }
}
