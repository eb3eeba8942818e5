extension Store {
    /// Runs the body on one consistent state.
    func read<Result>(
        _ body: (RecordTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try checkPlace()
        try generation.revalidate()
        return try storage.read { (rows) throws(KeyStoreError) in
            let keys = OperationKeys([:], source, rows)
            defer { keys.end() }
            return try body(records(rows, keys))
        }
    }

    /// Runs the body as the only writer, and has the other processes see that something changed if it did.
    /// - Parameters:
    ///   - now: the time that audit entries say; nil for the system's clock.
    ///   - keys: class keys at hand, when the source cannot have them yet.
    ///   - isSettling: whether this is ``settle()`` itself, which does not call itself when it cannot write either.
    func write<Result>(
        at now: Int64? = nil, with keys: ClassKeys = [:], isSettling: Bool = false,
        _ body: (RecordTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try checkPlace()
        try generation.revalidate()
        var begun: UInt64?
        var pendingErasure: Int64 = 0
        var eraser = ErasurePace.Eraser.passerBy
        var (evicted, admitted): (ClassKeys, [ClassKeyVersion]) = ([:], [])
        let anchor = AnchorKeeper(rules, isRehearsal: isRehearsed)
        do {
            let result = try storage.write { (rows) throws(KeyStoreError) in
                let keys = OperationKeys(keys, source, rows)
                defer { keys.end() }
                let transaction = records(rows, keys, anchor, now)
                defer { (evicted, admitted) = (transaction.evicted, transaction.admitted) }
                let result = try body(transaction)
                try transaction.finish()
                // What would be committed to a file that lost its place meanwhile would be lost, too.
                try checkPlace()
                begun = try beginGeneration(transaction)
                if transaction.shreds, let begun { try rows.setErasurePending(Int64(begun)) }
                pendingErasure = try rows.erasurePending()
                if transaction.shreds { eraser = transaction.isErasureForLater ? .job : .shredder }
                transaction.mayBeCommitted = true
                return result
            }
            if let begun { generation.complete(begun) }
            anchor.place()
            if pendingErasure != 0, pace.isDue(pendingErasure, for: eraser) { eraseIfPossible(pendingErasure) }
            return result
        } catch {
            putBack(evicted)
            takeOut(admitted)
            // Whether the commit took place is not known to every reader: the next writer settles it, this one tries.
            if begun != nil, !isSettling { settle() }
            throw error
        }
    }

    /// Class keys that a transaction took out of the session and did not destroy: as long as the store is unlocked, and no
    /// longer. What cannot be put back is there again when it is unlocked.
    private func putBack(_ evicted: ClassKeys) {
        guard !evicted.isEmpty else { return }
        try? storage.read { (rows) throws(KeyStoreError) in
            try source.put(evicted, timeout: try source.timeoutOfFurther(in: rows), in: rows)
        }
    }

    /// Class keys that a transaction put into the session, of which nothing was written down.
    private func takeOut(_ admitted: [ClassKeyVersion]) {
        guard !admitted.isEmpty else { return }
        try? storage.read { (rows) throws(KeyStoreError) in try source.evict(admitted, in: rows) }
    }

    /// Brings the generation file to a settled state after a writer was killed. Readers need no cache until then.
    func settle() {
        guard !generation.read().isSettled else { return }
        // What cannot be written now, a later writer will.
        try? write(isSettling: true) { (_) throws(KeyStoreError) in }
    }

    /// Counts the generation up when keys changed, or when a killed writer left the file behind or ahead.
    private func beginGeneration(_ transaction: RecordTransaction) throws(KeyStoreError) -> UInt64? {
        let rows = transaction.storage
        let committed = UInt64(max(0, try rows.generation()))
        if !generation.isMapped { try generation.makeFile() }
        let seen = generation.read()
        let isSettled = seen.started == committed && seen.completed == committed
        guard transaction.changesKeys || !isSettled else { return nil }
        let highest = max(committed, max(seen.started, seen.completed))
        guard highest < UInt64(Int64.max) else {
            throw KeyStoreError(.damaged, "generation", "its number cannot be counted up", hint: "remove the file")
        }
        let next = highest + 1
        try rows.setGeneration(Int64(next))
        generation.begin(next)
        if generation.isLost {
            // Nobody else has seen it. Either the file can be mended now, or nothing is committed.
            try generation.makeFile()
            generation.begin(next)
        }
        return next
    }

    /// Removes now what a job has deleted that was interrupted, and did not yet remove the bytes of.
    public func eraseDeleted() {
        let pending = try? storage.read { (rows) throws(KeyStoreError) in try rows.erasurePending() }
        if let pending, pending != 0 { eraseIfPossible(pending) }
    }

    /// Removes the bytes of deleted secrets; what stays pending is tried again by later writers.
    private func eraseIfPossible(_ pending: Int64) {
        guard (try? storage.eraseDeleted()) == true else { return pace.noteFailure() }
        pace.noteErasure(pending)
        try? storage.write { (rows) throws(KeyStoreError) in
            if try rows.erasurePending() == pending { try rows.setErasurePending(0) }
        }
    }

    private func records(
        _ rows: any StorageTransaction, _ keys: OperationKeys, _ anchor: AnchorKeeper? = nil, _ now: Int64? = nil
    ) -> RecordTransaction {
        RecordTransaction(rows, RowCipher(store: identifier, keys: keys), anchor, now: now)
    }
}
