/// The holder that unlocking puts keys into, and the other one, where an earlier unlock may have left some.
struct ChosenHolder: SessionHolder {
    let chosen: any SessionHolder
    let other: (any SessionHolder)?

    /// Whether a key that the chosen one does not have is looked for in the other.
    let readsBoth: Bool

    var name: String { chosen.name }

    func put(_ key: GuardedBytes, named name: String, timeout: Int?) throws(SessionError) {
        try chosen.put(key, named: name, timeout: timeout)
        try other?.evict([name])
    }

    func fetch(_ name: String) throws(SessionError) -> GuardedBytes? {
        if let key = try chosen.fetch(name) { return key }
        return readsBoth ? try other?.fetch(name) : nil
    }

    func nameHolding(_ name: String) throws(SessionError) -> String? {
        if let holding = try chosen.nameHolding(name) { return holding }
        return readsBoth ? try other?.nameHolding(name) : nil
    }

    /// Both are tried, also when the first fails.
    func evict(_ names: [String]) throws(SessionError) {
        var failure: SessionError?
        do { try chosen.evict(names) } catch { failure = error }
        try other?.evict(names)
        if let failure { throw failure }
    }

    /// In both, also where one alone is read.
    func remaining(of names: [String]) throws(SessionError) -> [String] {
        let first = try chosen.remaining(of: names)
        guard let other else { return first }
        let second = try other.remaining(of: names)
        return names.filter { first.contains($0) || second.contains($0) }
    }

    func listed() throws(SessionError) -> [String] { try chosen.listed() + (other?.listed() ?? []) }
}
