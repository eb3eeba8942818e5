/// What a scene holds, without what is drawn at random: two scenes of the same are in the same state.
public struct SceneState: Equatable, Sendable, CustomStringConvertible {
    /// All that the stores tell, on one line.
    public let facts: String
    /// How many entries of the audit logs say of a kind of operation that it was done, by store and kind. None of a log that
    /// cannot be read now.
    public let entries: [String: Int]

    private static let separator = " ;; done: "

    init(facts: String, entries: [String: Int]) {
        self.facts = facts
        self.entries = entries
    }

    /// - Parameter line: as ``description`` is.
    public init(_ line: String) {
        let parts = line.split(separator: Self.separator)
        facts = parts.first.map(String.init) ?? ""
        let counts = parts.count < 2 ? [] : parts[1].split(separator: ", ").map { $0.split(separator: "=") }
        entries = Dictionary(counts.map { (String($0[0]), Int($0[1]) ?? 0) }) { $1 }
    }

    public var description: String {
        let counts = entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return facts + Self.separator + counts.joined(separator: ", ")
    }

    /// Whether it is the other, by a detour: the same is there, and everything was written down at least as often.
    public func hasReached(_ other: SceneState) -> Bool {
        facts == other.facts && other.entries.allSatisfy { entries[$0.key, default: 0] >= $0.value }
    }
}
