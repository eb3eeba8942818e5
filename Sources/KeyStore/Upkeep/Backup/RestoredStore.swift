/// What came of a restoration.
public struct RestoredStore: Equatable, Sendable {
    public internal(set) var contents: BackupSummary
    /// How many secrets were stepped 64 epochs ahead.
    public internal(set) var steppedCount = 0
    /// How many conversations had not that many epochs left and go on under a fresh secret.
    public internal(set) var replacedCount = 0
    /// How many split keys there are, which have no epochs.
    public internal(set) var splitCount = 0
}
