import EnvelopeFormat

/// What could not be opened when it came, until the app opens it: a directory of files in the shared container, sealed as they came.
///
/// An entry is there from before its opening until the handler has returned; one whose process was killed in between is as
/// good as queued. Within the bounds nothing is lost, and after a kill a message is shown twice at worst.
public final class DeferredQueue: Sendable {
    /// The most entries, and the most bytes of them all.
    public static let entryLimit = 256
    public static let byteLimit = 2 << 20
    /// After so many seconds nobody is opening it any more: the system gives 30.
    static let openingTime: Int64 = 60

    private static let lock = "lock"
    private static let refusals = "refused"
    /// So many are counted at most.
    static let refusalLimit = 1 << 16
    private let directory: ContainerDirectory
    private let shown: ShownMessages

    /// - Parameter path: a directory of its own; made where it is not there.
    public convenience init(_ path: String) throws(ContainerError) { self.init(try ContainerDirectory(path)) }

    init(_ directory: ContainerDirectory) {
        self.directory = directory
        shown = ShownMessages(directory, lock: Self.lock)
    }

    /// Writes an entry down before it is opened. Nil where that cannot be: it is opened all the same.
    func begin(_ incoming: IncomingNotification) -> DeferredEntry? {
        try? directory.whileLocked(Self.lock) { () throws(ContainerError) in try write(incoming, beside: try names()) }
    }

    /// What opening came to: what waits for an unlock, or was opened when it was too late to show it, is queued.
    /// - Parameter isShown: whether what it came to is what will be delivered.
    func settle(
        _ entry: DeferredEntry?, _ incoming: IncomingNotification, _ outcome: Outcome, isShown: Bool
    ) -> DeferredSettlement {
        guard outcome.waits(isShown: isShown) else {
            if outcome.hasContent, let entry { return .underWay(entry) }
            discard(entry)
            return .settled
        }
        do throws(ContainerError) {
            return try directory.whileLocked(Self.lock) { () throws(ContainerError) in try queue(entry, incoming) }
        } catch {
            // What was begun is drained in a minute as if it had been killed.
            return entry == nil ? .refused(.storage) : .queued(isNew: true)
        }
    }

    private func queue(_ entry: DeferredEntry?, _ incoming: IncomingNotification) throws(ContainerError) -> DeferredSettlement {
        guard let digest = entry?.name.digest ?? DeferredEntry.digest(of: incoming.sealed) else { return .settled }
        let held = try names()
        guard !held.contains(where: { $0.digest == digest && $0.state == .queued }) else {
            // Identical bytes wait once.
            if let entry { try directory.remove(entry.name.text) }
            return .queued(isNew: false)
        }
        var waiting = entry
        // There may be room by now.
        if waiting == nil { waiting = try write(incoming, beside: held) }
        guard let waiting else {
            if try directory.byteCount(of: Self.refusals) ?? 0 < Self.refusalLimit {
                try directory.append([UInt8(ascii: "1")], to: Self.refusals)
            }
            return .refused(.full)
        }
        var queued = waiting.name
        queued.state = .queued
        try directory.rename(waiting.name.text, to: queued.text, isDurable: true)
        return .queued(isNew: true)
    }

    /// - Returns: nil for what cannot be opened later either, and where there is no room.
    private func write(
        _ incoming: IncomingNotification, beside held: [DeferredName]
    ) throws(ContainerError) -> DeferredEntry? {
        guard var entry = DeferredEntry(incoming) else { return nil }
        // Of several that arrived in one second the order is kept.
        let sequences = held.filter { $0.arrival == entry.arrival }.map(\.sequence)
        entry.name.sequence = (sequences.max() ?? -1) + 1
        guard DeferredRoom.admits(entry.name, beside: held) else { return nil }
        try directory.replace(entry.name.text, with: entry.bytes, isDurable: false)
        return entry
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
    /// One drain at a time is at it, in whatever process: another one does nothing, and does not wait. Each entry is claimed for as
    /// long as the body runs, and goes when it is confirmed; what is not, stays. While the body runs nothing is held that
    /// an extension needs. A body that takes longer than a minute loses its claim: whoever drains then may show that entry once
    /// more, and the drain that was held up ends with it.
    /// - Parameter body: opens it and rewrites the delivered notification; true once that is done, false to leave it for later.
    /// - Returns: false where another drain is at it, or came to be.
    /// - Throws: when the queue cannot be read or written; of several troubles with single entries the first, after all others
    ///   were opened.
    @discardableResult
    public func drain(now: Int64, _ body: (DeferredEntry) -> Bool) throws(ContainerError) -> Bool {
        try drain(now: now, patience: DrainClaim.patience, body)
    }

    func drain(now: Int64, patience: Int64, _ body: (DeferredEntry) -> Bool) throws(ContainerError) -> Bool {
        let claim = try directory.whileLocked(Self.lock) { () throws(ContainerError) in
            // What cannot be removed keeps nobody from what waits.
            try? directory.removeUnfinished()
            return try DrainClaim(directory, patience: patience)
        }
        guard let claim else { return false }
        defer { withExtendedLifetime(claim) {} }
        var confirmed: Set<String> = []
        var failure: ContainerError?
        for name in try names() where name.state == .queued || isAbandoned(name, now: now) {
            guard try directory.whileLocked(Self.lock, { () throws(ContainerError) in claim.renew() }) else { return false }
            do throws(ContainerError) {
                // One that comes again was opened by who was killed.
                guard !confirmed.contains(name.digest), let entry = try read(name) else {
                    try directory.remove(name.text)
                    continue
                }
                guard body(entry) else { continue }
                confirmed.insert(name.digest)
                try directory.remove(name.text)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return true
    }

    /// Whoever began it was killed, or the clock was set meanwhile.
    private func isAbandoned(_ name: DeferredName, now: Int64) -> Bool {
        name.arrival < now - Self.openingTime || name.arrival > now + Self.openingTime
    }

    /// - Returns: nil for what has nothing in it to open: cut short by a power cut, or not written here.
    private func read(_ name: DeferredName) throws(ContainerError) -> DeferredEntry? {
        do throws(ContainerError) {
            return try directory.read(name.text, atMost: Self.byteLimit).flatMap { DeferredEntry($0, name: name) }
        } catch {
            guard error.isTooLarge || error.isNoFile else { throw error }
            return nil
        }
    }

    /// How many wait.
    public func count() throws(ContainerError) -> Int { try names().filter { $0.state == .queued }.count }

    /// How many were refused for want of room, since the app last asked: they showed the placeholder, and are lost.
    public func takeRefusedCount() throws(ContainerError) -> Int {
        try directory.whileLocked(Self.lock) { () throws(ContainerError) in
            // One byte each.
            let count = try directory.byteCount(of: Self.refusals) ?? 0
            try directory.remove(Self.refusals)
            return count
        }
    }

    private func names() throws(ContainerError) -> [DeferredName] { try directory.names().compactMap { DeferredName($0) } }
}

extension Outcome {
    /// Whether there is content to be shown.
    var hasContent: Bool { self == .opened || self == .duplicate }

    /// Whether the app has something to open later: what is locked, and what was opened when it was too late to show it.
    func waits(isShown: Bool) -> Bool { self == .keyLocked || self == .storeUnavailable || !isShown && hasContent }
}
