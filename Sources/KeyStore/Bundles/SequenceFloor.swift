/// Above which number the bundles of a restored store begin: none that the lost store used since the backup
/// (docs/spec/bundle.md, section 3).
enum SequenceFloor {
    /// So many numbers lie between the floors of two seconds.
    private static let step: Int64 = 1 << 20
    /// Of 53 bits those that are left for the second.
    private static let seconds: Int64 = 1 << 33

    /// - Parameter last: the highest number that is known to have been used.
    /// - Throws: `.badInput` for a clock that is beyond all floors.
    static func above(_ last: Int64, now: Int64) throws(KeyStoreError) -> Int64 {
        let second = max(last / step, now) + 1
        guard second < seconds else {
            throw KeyStoreError(.badInput, "clock", "no sequence numbers are left above \(max(last, now))", hint: "set it right")
        }
        return second * step
    }
}
