/// A length of time as written on a command line: `30d`, `12h`, `45m`, `10s`.
enum TimeSpan {
    /// The seconds of it; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        guard let unit = text.utf8.last, let factor = factors[unit], let count = WholeNumber.parse(text.dropLast())
        else { return nil }
        let (seconds, isOverflow) = count.multipliedReportingOverflow(by: factor)
        return isOverflow ? nil : seconds
    }

    private static let factors: [UInt8: Int64] = [
        UInt8(ascii: "d"): 86_400, UInt8(ascii: "h"): 3_600, UInt8(ascii: "m"): 60, UInt8(ascii: "s"): 1,
    ]
}
