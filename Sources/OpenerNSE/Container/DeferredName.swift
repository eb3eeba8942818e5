/// The name of an entry's file: it says all that the queue has to know of it without reading it, and sorts by arrival.
struct DeferredName: Sendable, Equatable {
    enum State: String, Sendable {
        /// Being opened; older than a minute, whoever began it was killed.
        case begun
        case queued
    }

    let arrival: Int64
    /// Of several that arrived in one second.
    var sequence: Int
    /// Of what was sealed: 32 hexadecimal digits.
    let digest: String
    /// Of the file.
    let byteCount: Int
    /// nil where it names none.
    let kid: String?
    var state = State.begun

    init(arrival: Int64, sequence: Int = 0, digest: String, byteCount: Int, kid: String?) {
        self.arrival = arrival
        self.sequence = sequence
        self.digest = digest
        self.byteCount = byteCount
        self.kid = kid
    }

    /// - Returns: nil for what this would not have written itself.
    init?(_ text: String) {
        // A kid has hyphens and a dot itself.
        let parts = text.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1].utf8.count == 8, parts[2].utf8.count == 32, parts[3].utf8.count == 6,
            let arrival = Int64(parts[0], radix: 16), let sequence = Int(parts[1], radix: 16),
            let byteCount = Int(parts[3], radix: 16), let dot = parts[4].lastIndex(of: "."),
            let state = State(rawValue: String(parts[4][parts[4].index(after: dot)...]))
        else { return nil }
        let kid = String(parts[4][..<dot])
        self.init(
            arrival: arrival, sequence: sequence, digest: String(parts[2]), byteCount: byteCount, kid: kid.isEmpty ? nil : kid)
        self.state = state
        guard self.text == text else { return nil }
    }

    var text: String {
        let numbers = "\(Self.hex(arrival, 16))-\(Self.hex(Int64(sequence), 8))-\(digest)-\(Self.hex(Int64(byteCount), 6))"
        return "\(numbers)-\(kid ?? "").\(state.rawValue)"
    }

    private static func hex(_ value: Int64, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
