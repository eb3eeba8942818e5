/// What a lock and an unlock leave beside the database for whoever opens the store, in the file of ``Generation``.
///
/// They are not sealed: a lock has to leave them where it has no key, and who may write the file may lock and unlock.
struct LockMarks: OptionSet, Sendable {
    let rawValue: UInt64

    /// Keys that `lock` takes away are not read from the session, even if they are there.
    static let locked = LockMarks(rawValue: 1)
    /// No keys are.
    static let restarted = LockMarks(rawValue: 2)
    /// Keys were put into a kernel keyring, and not all were seen to be gone from it.
    static let inKeyring = LockMarks(rawValue: 4)

    /// Whether a lock keeps that key from being read.
    func keepBack(_ name: ClassKeyName, of role: StoreRole) -> Bool {
        contains(.restarted) || contains(.locked) && name.isEvictedByLock(of: role)
    }
}
