internal import EnvelopeFormat

/// The content of the file of opened messages: `wxr1`, the floor, and 24 bytes a message.
struct ReplayFile: Sendable, Equatable {
    /// The most messages. Past it the ones that end soonest make room, and raise the floor.
    static let entryLimit = 4_096
    static let byteLimit = magic.count + 8 + entryLimit * ReplayEntry.byteCount
    /// The longest that a message sealed now may still be valid, in seconds: 31 days, and 10 minutes for clocks.
    static let longestValidity: Int64 = 2_678_400 + 600
    private static let magic = Array("wxr1".utf8)

    /// What is valid until then or shorter and is not found, may have been forgotten.
    private(set) var floor: Int64
    private(set) var entries: [ReplayEntry] = []

    /// Of a device that has opened nothing yet.
    init() { floor = .min }

    /// In the place of one that was lost: of whatever is sealed by now nothing can be said.
    init(lostAt now: Int64) { floor = now + Self.longestValidity }

    /// nil for what is no such file.
    init?(_ bytes: [UInt8]) {
        let body = bytes.dropFirst(Self.magic.count)
        guard bytes.starts(with: Self.magic), body.count >= 8, (body.count - 8) % ReplayEntry.byteCount == 0 else { return nil }
        floor = Int64(bitPattern: UInt64(bigEndian: body.prefix(8)))
        var rest = body.dropFirst(8)
        entries.reserveCapacity(rest.count / ReplayEntry.byteCount)
        while !rest.isEmpty {
            entries.append(ReplayEntry(rest.prefix(ReplayEntry.byteCount)))
            rest = rest.dropFirst(ReplayEntry.byteCount)
        }
    }

    var bytes: [UInt8] {
        var bytes = Self.magic + UInt64(bitPattern: floor).bigEndianBytes
        bytes.reserveCapacity(Self.byteLimit)
        for entry in entries { bytes += entry.bytes }
        return bytes
    }

    /// Answers for a message, and takes note of it unless it was seen.
    mutating func remember(_ entry: ReplayEntry, now: Int64) -> ReplayAnswer {
        prune(now: now)
        guard !entries.contains(where: entry.isSameMessage) else { return .seen }
        let answer = entry.until <= floor ? ReplayAnswer.unchecked : .new
        if entries.count >= Self.entryLimit, let soonest = entries.indices.min(by: { entries[$0].until < entries[$1].until }) {
            floor = max(floor, entries.remove(at: soonest).until)
        }
        entries.append(entry)
        return answer
    }

    /// Forgets what is not valid any more, and keeps the latest such end as the floor.
    private mutating func prune(now: Int64) {
        guard let latest = entries.map(\.until).filter({ $0 <= now }).max() else { return }
        floor = max(floor, latest)
        entries.removeAll { $0.until <= now }
    }
}
