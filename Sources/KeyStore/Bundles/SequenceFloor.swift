/// Above which number the bundles of a restored store begin: none that the lost store used since the backup
/// (docs/spec/bundle.md, section 3).
enum SequenceFloor {
    /// So many numbers lie between the floors of two seconds.
    private static let step: Int64 = 1 << 20
    /// Of 53 bits those that are left for the second; the last one is room for what is issued after the one before.
    private static let seconds: Int64 = (1 << 33) - 1

    /// At a random place within its second, so that two restorations in one, or by a clock that was set back, have not the
    /// same numbers.
    /// - Parameter last: the highest number that is known to have been used.
    /// - Throws: `.badInput` for a clock that is beyond all floors.
    static func above(_ last: Int64, now: Int64) throws(KeyStoreError) -> Int64 {
        let second = max(last / step, now) + 1
        guard second < seconds else {
            throw KeyStoreError(.badInput, "clock", "no sequence numbers are left above \(max(last, now))", hint: "set it right")
        }
        let place = try RandomName.bytes(3).reduce(Int64(0)) { $0 << 8 | Int64($1) } % step
        return second * step + place
    }
}
