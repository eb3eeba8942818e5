/// That one drain is at it, and which.
///
/// The claim is a lock of the kernel's, which ends with its process, and the time at which it was last renewed: from who holds it for
/// longer without getting on it is taken. Who lost it finds out before the next entry.
struct DrainClaim {
    /// So many seconds an entry may take, by a clock that nobody sets.
    static let patience: Int64 = 60
    private static let lock = "drain.lock"
    private let directory: ContainerDirectory
    private let lock: FileLock

    /// Nobody else may be taking or renewing one meanwhile.
    /// - Parameter patience: for how long the present holder may do without renewing.
    /// - Returns: nil while somebody else is at it.
    init?(_ directory: ContainerDirectory, patience: Int64) throws(ContainerError) {
        self.directory = directory
        if let lock = try directory.lock(Self.lock) {
            self.lock = lock
        } else {
            guard !Self.isRenewed(directory, patience) else { return nil }
            // The holder keeps a lock on a file that has no name any more.
            try directory.remove(Self.lock)
            guard let lock = try directory.lock(Self.lock) else { return nil }
            self.lock = lock
        }
        guard renew() else { return nil }
    }

    /// Nobody else may be taking or renewing one meanwhile.
    /// - Returns: false when it was taken.
    func renew() -> Bool { directory.isCurrent(lock, Self.lock) && lock.note(Uptime.seconds) }

    private static func isRenewed(_ directory: ContainerDirectory, _ patience: Int64) -> Bool {
        guard let renewed = directory.note(of: lock) else { return false }
        let (age, isTooLong) = Uptime.seconds.subtractingReportingOverflow(renewed)
        return !isTooLong && (0..<patience).contains(age)
    }
}
