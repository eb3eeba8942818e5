/// How many seals a sealer leases from the store's counter at a time.
public enum Leasing: Sendable {
    /// Exactly what it is about to seal: for a process that seals and ends.
    case exact
    /// 64, doubling to 65,536: for a process that stays. What is left of a lease is lost at its end.
    case doubling

    func next(after last: Int) -> Int {
        switch self {
        case .exact: 1
        case .doubling: min(max(64, last * 2), 65_536)
        }
    }
}
