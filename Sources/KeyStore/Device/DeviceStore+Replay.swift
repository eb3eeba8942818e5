public import EnvelopeFormat

extension DeviceStore {
    /// How many records of a time long past one call removes.
    private static let prunedAtOnce = 256

    /// Takes note of an opened message: of two calls with the same message exactly one is answered `new`.
    /// - Parameters:
    ///   - message: the 16 bytes of `jti`.
    ///   - until: the message's expiry bound; the record is kept until it has passed.
    public func remember(
        _ conversation: ConversationIdentifier, messageIdentifier message: [UInt8], until: Int64, now: Int64
    ) -> ReplayAnswer {
        guard message.count == 16 else { return .unchecked }
        let answer = try? store.write { (rows) throws(KeyStoreError) -> ReplayAnswer in
            let state = try Self.prune(try DeviceTransaction(rows, now: now))
            let answer = try Self.answer(conversation, message, until, state, rows)
            if answer != .seen {
                try rows.insert(ReplayRow(conversation: conversation, message: message, until: until))
            }
            return answer
        }
        return answer ?? .unchecked
    }

    /// What ``remember(_:messageIdentifier:until:now:)`` would answer, without taking note.
    public func peekReplay(
        _ conversation: ConversationIdentifier, messageIdentifier message: [UInt8], until: Int64, now: Int64
    ) -> ReplayAnswer {
        let answer = try? store.read { (rows) throws(KeyStoreError) in
            let state = try DeviceTransaction(rows, now: now).state()
            return try Self.answer(conversation, message, until, state.record, rows)
        }
        return answer ?? .unchecked
    }

    private static func answer(
        _ conversation: ConversationIdentifier, _ message: [UInt8], _ until: Int64, _ state: DeviceStateRow,
        _ rows: RecordTransaction
    ) throws(KeyStoreError) -> ReplayAnswer {
        if try rows.find(ReplayRow.self, ReplayRow.identifier(conversation, message)) != nil { return .seen }
        if let floor = state.replayFloor, until <= floor { return .unchecked }
        return .new
    }

    /// Removes records whose bound has passed, and keeps the latest such bound.
    private static func prune(_ transaction: DeviceTransaction) throws(KeyStoreError) -> DeviceStateRow {
        let rows = transaction.rows
        var state = try transaction.state()
        let past = try rows.all(ReplayRow.self, .atMost("until", transaction.now), limit: prunedAtOnce)
        guard let latest = past.map(\.record.until).max() else { return state.record }
        for record in past { try rows.delete(record) }
        if latest > state.record.replayFloor ?? .min {
            state.record.replayFloor = latest
            try rows.update(&state)
        }
        return state.record
    }
}
