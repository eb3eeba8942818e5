extension Store {
    /// The seconds after which a store can be told to lock itself: up to 30 days.
    public static let lockTimeouts = 1...2_592_000

    /// In how many seconds the store locks itself, by the session holder's clock; nil when it will not.
    public var secondsUntilLock: Int? {
        get throws(KeyStoreError) {
            try read { (transaction) throws(KeyStoreError) in
                guard try lockState(in: transaction) == .unlocked else { return nil }
                return try source.secondsUntilLock(in: transaction.storage)
            }
        }
    }

    /// - Throws: `.badInput` out of range, `.refused` for a store whose key file unlocks it at every use.
    func checkTimeout(_ timeout: Int) throws(KeyStoreError) {
        guard Self.lockTimeouts.contains(timeout) else {
            throw KeyStoreError(
                .badInput, "timeout",
                "\(timeout) seconds where 1 to \(Self.lockTimeouts.upperBound) (30 days) are accepted")
        }
        guard try !readsKeyFile else {
            throw KeyStoreError(
                .refused, directory, "it reads its key file at every use, so that no time locks it",
                hint: "to stop it: keyctl lock")
        }
    }
}
