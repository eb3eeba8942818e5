/// The name of an entry's file: it says all that the queue has to know of it without reading it, and sorts by arrival.
struct DeferredName: Sendable, Equatable {
    enum State: String, Sendable {
        /// Being opened; older than a minute, whoever began it was killed.
        case begun
        case queued
    }

    let arrival: Int64
    /// Of several that arrived in one second.
    let sequence: Int
    /// Of what was sealed: 32 hexadecimal digits.
    let digest: String
    /// nil where it names none.
    let kid: String?
    var state = State.begun

    init(arrival: Int64, sequence: Int, digest: String, kid: String?) {
        self.arrival = max(0, arrival)
        self.sequence = sequence
        self.digest = digest
        self.kid = kid
    }

    init?(_ text: String) {
        // A kid has hyphens and a dot itself.
        let parts = text.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let arrival = Int64(parts[0], radix: 16), let sequence = Int(parts[1], radix: 16),
            parts[2].utf8.count == 32, let dot = parts[3].lastIndex(of: "."),
            let state = State(rawValue: String(parts[3][parts[3].index(after: dot)...]))
        else { return nil }
        let kid = String(parts[3][..<dot])
        self.init(arrival: arrival, sequence: sequence, digest: String(parts[2]), kid: kid.isEmpty ? nil : kid)
        self.state = state
    }

    var text: String { "\(Self.hex(arrival, 16))-\(Self.hex(Int64(sequence), 8))-\(digest)-\(kid ?? "").\(state.rawValue)" }

    private static func hex(_ value: Int64, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
