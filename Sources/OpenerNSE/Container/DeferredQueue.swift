import EnvelopeFormat

/// What could not be opened when it came, until the app opens it: a directory of files in the shared container, sealed as they came.
///
/// An entry is there from before its opening until the handler has returned; one whose process was killed in between is as
/// good as queued. Within the bounds nothing is lost, and after a kill a message is shown twice at worst.
public final class DeferredQueue: Sendable {
    /// The most entries, and the most bytes of them all.
    public static let entryLimit = 256
    public static let byteLimit = 2 << 20
    /// The most of one kid: who can push may fill that much, and there is room for the others.
    static let kidEntryLimit = 192
    static let kidByteLimit = 3 << 19
    /// After so many seconds nobody is opening it any more: the system gives 30.
    static let openingTime: Int64 = 60

    private static let lock = "lock"
    private static let drainLock = "drain.lock"
    private let directory: ContainerDirectory
    private let shown: ShownMessages

    /// - Parameter path: a directory of its own; made where it is not there.
    public init(_ path: String) throws(ContainerError) {
        directory = try ContainerDirectory(path)
        shown = ShownMessages(directory)
    }

    /// Writes an entry down before it is opened. Nil where that cannot be: it is opened all the same.
    func begin(_ incoming: IncomingNotification) -> DeferredEntry? {
        try? directory.whileLocked(Self.lock) { () throws(ContainerError) in
            let held = try files()
            let sequence = held.map(\.name).filter { $0.arrival == max(0, incoming.arrival) }.map(\.sequence).max() ?? -1
            guard let entry = DeferredEntry(incoming, sequence: sequence + 1), admits(entry, beside: held) else { return nil }
            try directory.replace(entry.name.text, with: entry.bytes, isDurable: false)
            return entry
        }
    }

    /// What opening came to: what waits for an unlock, or was opened when it was too late to show it, is queued.
    /// - Parameter isShown: whether what it came to is what will be delivered.
    /// - Returns: the entry, when it is to be finished once it was shown.
    func settle(
        _ entry: DeferredEntry?, _ incoming: IncomingNotification, _ outcome: Outcome, isShown: Bool
    ) -> DeferredEntry? {
        let waits = outcome == .keyLocked || outcome == .storeUnavailable || !isShown && outcome.hasContent
        guard waits else {
            if outcome.hasContent { return entry }
            discard(entry)
            return nil
        }
        try? directory.whileLocked(Self.lock) { () throws(ContainerError) in
            guard let entry else { return try count(refused: incoming) }
            let held = try files().filter { $0.name != entry.name }
            guard !held.contains(where: { $0.name.digest == entry.name.digest && $0.name.state == .queued }) else {
                // Identical bytes wait once.
                return try directory.remove(entry.name.text)
            }
            var queued = entry.name
            queued.state = .queued
            try directory.rename(entry.name.text, to: queued.text, isDurable: true)
        }
        return nil
    }

    /// The handler has returned: what it was called with is shown.
    func finish(_ entry: DeferredEntry?) {
        guard let entry else { return }
        try? shown.add(entry.name.digest)
        discard(entry)
    }

    /// Whether the same bytes were shown before, and the handler had returned.
    func wasShown(_ entry: DeferredEntry?) -> Bool {
        guard let entry else { return false }
        return (try? shown.contains(entry.name.digest)) ?? false
    }

    private func discard(_ entry: DeferredEntry?) {
        if let entry { try? directory.remove(entry.name.text) }
    }

    /// Opens what waits, in the order of arrival, in the app.
    ///
    /// One process at a time drains. Each entry is claimed for as long as the body runs, and goes when it is confirmed; what is
    /// not, stays.
    /// - Parameter body: opens it and rewrites the delivered notification; true once that is done, false to leave it for later.
    public func drain(now: Int64, _ body: (DeferredEntry) -> Bool) throws(ContainerError) {
        try directory.whileLocked(Self.drainLock) { () throws(ContainerError) in
            try directory.whileLocked(Self.lock) { () throws(ContainerError) in try directory.removeUnfinished() }
            var confirmed: Set<String> = []
            for file in try files() where file.name.state == .queued || file.name.arrival + Self.openingTime < now {
                guard !confirmed.contains(file.name.digest) else {
                    // It came again, and whoever opened it was killed.
                    try directory.remove(file.name.text)
                    continue
                }
                guard let bytes = try directory.read(file.name.text, atMost: Self.byteLimit) else { continue }
                guard let entry = DeferredEntry(bytes, name: file.name) else {
                    // Cut short by a power cut: there is nothing in it to open.
                    try directory.remove(file.name.text)
                    continue
                }
                guard body(entry) else { continue }
                confirmed.insert(file.name.digest)
                try directory.remove(file.name.text)
            }
        }
    }

    /// How many wait.
    public func count() throws(ContainerError) -> Int { try files().filter { $0.name.state == .queued }.count }

    /// How many were refused for want of room, since the app last asked: they showed the placeholder, and are lost.
    public func takeRefusedCount() throws(ContainerError) -> Int {
        try directory.whileLocked(Self.lock) { () throws(ContainerError) in
            let count = try directory.byteCount(of: Self.refusals) ?? 0
            try directory.remove(Self.refusals)
            return count
        }
    }

    private static let refusals = "refused"

    /// One byte each.
    private func count(refused incoming: IncomingNotification) throws(ContainerError) {
        guard DeferredEntry.digest(of: incoming.sealed) != nil else { return }
        try directory.append([UInt8(ascii: "1")], to: Self.refusals)
    }

    private func files() throws(ContainerError) -> [(name: DeferredName, byteCount: Int)] {
        var files: [(name: DeferredName, byteCount: Int)] = []
        for text in try directory.names() {
            guard let name = DeferredName(text), let count = try directory.byteCount(of: text) else { continue }
            files.append((name, count))
        }
        return files
    }

    private func admits(_ entry: DeferredEntry, beside held: [(name: DeferredName, byteCount: Int)]) -> Bool {
        let byteCount = entry.bytes.count
        let own = held.filter { $0.name.kid == entry.name.kid }
        return held.count < Self.entryLimit && held.reduce(byteCount) { $0 + $1.byteCount } <= Self.byteLimit
            && own.count < Self.kidEntryLimit && own.reduce(byteCount) { $0 + $1.byteCount } <= Self.kidByteLimit
    }
}

extension Outcome {
    /// Whether there is content to be shown.
    var hasContent: Bool { self == .opened || self == .duplicate }
}
