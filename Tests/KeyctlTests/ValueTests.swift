import EnvelopeFormat
import Testing

@testable import keyctl

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("0", 0), ("1798761600", 1_798_761_600), ("2027-01-01T00:00:00Z", 1_798_761_600),
            ("2027-01-01", 1_798_761_600), ("2027-01-01T01:00:00+01:00", 1_798_761_600),
            ("2026-12-31T19:30:00-04:30", 1_798_761_600), ("2027-01-01t00:00:00.999z", 1_798_761_600),
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:34:56Z", 951_827_696),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func timestampsAreRead(_ text: String, _ seconds: Int64) { #expect(Timestamp.parse(text) == seconds) }

    @Test(arguments: [
        "", "-1", "+1", " 1", "1 ", "9007199254740992", "2027-1-01", "2027-13-01", "2027-02-29", "2027-00-01",
        "2027-01-00",
        "2027-01-01 00:00:00Z", "2027-01-01T00:00:00", "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z",
        "2027-01-01T00:00:60Z", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00+0100", "2027-01-01T00:00:00+24:00",
        "2027-01-01T00:00:00Zx", "1969-12-31T23:59:59Z", "2027-01-01T", "2027-01-01T0", "２０２７-01-01", "2027/01/01",
        "1e9", "0x10",
    ])
    func whatIsNoTimestampIsRefused(_ text: String) { #expect(Timestamp.parse(text) == nil) }

    @Test func timestampsAreWritten() {
        #expect(Timestamp.text(0) == "1970-01-01T00:00:00Z")
        #expect(Timestamp.text(951_827_696) == "2000-02-29T12:34:56Z")
        #expect(Timestamp.text(253_402_300_799) == "9999-12-31T23:59:59Z")
        #expect(Timestamp.text(253_402_300_800) == "253402300800")
        for seconds in stride(from: Int64(0), to: 253_402_300_800, by: 86_399 * 7_919) {
            #expect(Timestamp.parse(Timestamp.text(seconds)) == seconds)
        }
    }

    @Test(
        arguments: [("30d", 2_592_000), ("12h", 43_200), ("45m", 2_700), ("10s", 10), ("0s", 0)] as [(String, Int64)])
    func timeSpansAreRead(_ text: String, _ seconds: Int64) { #expect(TimeSpan.seconds(text) == seconds) }

    @Test(arguments: ["", "d", "30", "30 d", "-1d", "1.5h", "1w", "30D", "9007199254740991d"])
    func whatIsNoTimeSpanIsRefused(_ text: String) { #expect(TimeSpan.seconds(text) == nil) }

    @Test func controlsAreShownNotObeyed() {
        #expect(
            PrintableText.escape("a\u{1B}[31mb\r\n\t\u{202E}c\u{9B}d\u{2066}")
                == #"a\u{1b}[31mb\r\n\t\u{202e}c\u{9b}d\u{2066}"#)
        #expect(PrintableText.escape("Grüße 🇨🇭 \u{200D}") == "Grüße 🇨🇭 \u{200D}")
        #expect(PrintableText.escape("a\r\nb") == #"a\r\nb"#)
    }

    @Test func jsonKeepsItsMeaning() {
        let json = Array("{\"a\":\"\u{202E}ü\u{85}\"}".utf8)
        #expect(String(decoding: PrintableText.escape(json: json), as: UTF8.self) == #"{"a":"\u202eü\u0085"}"#)
        #expect(PrintableText.escape(json: [0x7B, 0x7D]) == [0x7B, 0x7D])
    }

    @Test func columnsAreAligned() {
        #expect(TableLayout.lines([["a", "bb"], ["ccc", "d"]]) == ["a    bb", "ccc  d"])
        #expect(TableLayout.lines([]).isEmpty)
    }

    @Test func nearestNames() {
        #expect(NearestName.of("provison", among: ["provision", "promote"]) == "provision")
        #expect(NearestName.of("passphrase", among: ["passphrase-fd", "store"]) == "passphrase-fd")
        #expect(NearestName.of("zzz", among: ["json", "store"]) == nil)
    }
}
