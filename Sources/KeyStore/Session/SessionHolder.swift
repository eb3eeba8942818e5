/// Where class keys stay between processes once a store has been unlocked: the kernel keyring, or an agent.
///
/// Other processes of the same user, or of the store's unix group when it has one, can fetch them; nobody else can.
/// After a restart of the machine nothing is left. A key is fetched for one operation and then let go.
public protocol SessionHolder: Sendable {
    /// "kernel keyring" or "agent".
    var name: String { get }

    /// Makes the key readable by the other processes, in the place of one of that name.
    /// - Parameters:
    ///   - key: 1 to 256 bytes.
    ///   - name: of the class key: 1 to 48 of `a`-`z`, `0`-`9`, `-`, `.`.
    ///   - timeout: after how many seconds it goes by itself; nil for never.
    func put(_ key: GuardedBytes, named name: String, timeout: Int?) throws(SessionError)

    /// What holds the key; nil when it is not there.
    func nameHolding(_ name: String) throws(SessionError) -> String?

    /// The key; nil when it is not there, which is to say that the store is locked.
    /// - Throws: when the holder cannot tell, which is never the same as "not there".
    func fetch(_ name: String) throws(SessionError) -> GuardedBytes?

    /// Takes the keys away at once, for every process. A name that is not there is no error.
    /// All are tried, also when one cannot be taken away.
    func evict(_ names: [String]) throws(SessionError)

    /// Which of the keys are there yet, wherever they were put.
    func remaining(of names: [String]) throws(SessionError) -> [String]

    /// The names of the store's keys that it can list, whoever put them. There may be others.
    func listed() throws(SessionError) -> [String]
}

extension SessionHolder {
    public func nameHolding(_ name: String) throws(SessionError) -> String? {
        try fetch(name) == nil ? nil : self.name
    }

    public func remaining(of names: [String]) throws(SessionError) -> [String] {
        var remaining: [String] = []
        for name in names where try fetch(name) != nil { remaining.append(name) }
        return remaining
    }

    public func listed() throws(SessionError) -> [String] { [] }

    /// Makes the key readable by the other processes until it is evicted or the machine restarts.
    public func put(_ key: GuardedBytes, named name: String) throws(SessionError) {
        try put(key, named: name, timeout: nil)
    }
}
