/// Whether the queue has room for one more, told by the names of what is in it.
///
/// Nothing that waits makes room for what comes. So that one key name cannot take all of it, the queue is full for whoever holds
/// most before it is full for the others: a key name gets more for as long as it holds less than three times of what is left. Alone
/// it gets three quarters; many of about the same size, nearly all.
enum DeferredRoom {
    private static let share = 3

    static func admits(_ name: DeferredName, beside held: [DeferredName]) -> Bool {
        let own = held.filter { $0.kid == name.kid }
        return fits(1, own: own.count, all: held.count, limit: DeferredQueue.entryLimit)
            && fits(name.byteCount, own: byteCount(own), all: byteCount(held), limit: DeferredQueue.byteLimit)
    }

    private static func fits(_ more: Int, own: Int, all: Int, limit: Int) -> Bool {
        more <= limit - all && own < share * (limit - all)
    }

    private static func byteCount(_ names: [DeferredName]) -> Int { names.reduce(0) { $0 + $1.byteCount } }
}
