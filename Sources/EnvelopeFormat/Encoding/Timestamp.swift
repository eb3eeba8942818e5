/// A point in time: seconds since 1970 or RFC 3339 in, RFC 3339 in UTC out.
public enum Timestamp {
    /// Reads `1798761600`, `2027-01-01T00:00:00Z`, `2027-01-01T01:00:00.5+01:00` (a fraction is dropped), or
    /// `2027-01-01`, the start of that day in UTC; nil for anything else, a leap second included.
    public static func parse(_ text: String) -> Int64? {
        if let seconds = JSONValue.number(text).plainInteger { return seconds }
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count >= 20, bytes[4] == dash, bytes[7] == dash,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year)
        else { return nil }
        let midnight = (days(year, month, day) - days(1970, 1, 1)) * 86_400
        guard bytes.count > 10 else { return midnight >= 0 ? midnight : nil }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"), bytes[13] == colon, bytes[16] == colon,
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            hour < 24, minute < 60, second < 60, let offset = offset(bytes[19...])
        else { return nil }
        let seconds = midnight + hour * 3_600 + minute * 60 + second - offset
        return seconds >= 0 ? seconds : nil
    }

    /// `2027-01-01T00:00:00Z`, for seconds up to the end of the year 9999; beyond, the number itself.
    public static func text(_ seconds: Int64) -> String {
        guard (0..<253_402_300_800).contains(seconds) else { return "\(seconds)" }
        var day = seconds / 86_400
        var year: Int64 = 1970 + day / 366
        day += days(1970, 1, 1)
        while days(year + 1, 1, 1) <= day { year += 1 }
        var month: Int64 = 1
        while month < 12, days(year, month + 1, 1) <= day { month += 1 }
        let time = seconds % 86_400
        let date = [year, month, day - days(year, month, 1) + 1].map(twoDigits).joined(separator: "-")
        return "\(date)T\([time / 3_600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":"))Z"
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        JSONValue.number(String(decoding: digits, as: UTF8.self)).plainInteger
    }

    /// What follows the seconds: an optional fraction, then `Z` or `+hh:mm`, in seconds east of UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        var rest = bytes
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        guard let sign = rest.popFirst() else { return nil }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return rest.isEmpty ? 0 : nil }
        let start = rest.startIndex
        guard sign == UInt8(ascii: "+") || sign == dash, rest.count == 5, rest[start + 2] == colon,
            let hours = number(rest[start..<start + 2]), let minutes = number(rest[(start + 3)...]),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == dash ? -60 : 60)
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        month == 12 ? 31 : days(year, month + 1, 1) - days(year, month, 1)
    }

    /// Days of the proleptic Gregorian calendar, counted from an arbitrary start.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let march = (month + 9) % 12
        let shifted = year - march / 10
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (march * 306 + 5) / 10 + day - 1
    }
}
