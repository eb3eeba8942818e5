extension Store {
    /// Has the store keep an anchor in a file on another volume, so that an older copy of it, put back whole, is found.
    /// - Parameter path: of a file that is not there yet; nil to keep none. The file the store has already is made anew when
    ///   it was lost.
    /// - Throws: `.alreadyExists` when something is at that place, `.damaged` for a store that is not the one its present
    ///   anchor knows, `.badInput` for a place in the store itself, `.permission`, `.locked`.
    public func setAnchor(_ path: String?, now: Int64) throws(KeyStoreError) {
        var founding: AnchorFounding?
        let subject = path.map { "file \($0)" } ?? "none"
        do throws(KeyStoreError) {
            try write(auditing: .anchor, subject, at: now) { (transaction) throws(KeyStoreError) in
                transaction.leaveAnchor()
                let present = try transaction.find(AnchorRow.self, AnchorRow.name)
                guard let path else {
                    if let present { try transaction.delete(present) } else { transaction.act = nil }
                    return
                }
                let file = try AnchorFile(path, rules)
                try file.requireOutside(try AbsolutePath(directory))
                guard try !isKept(present, for: file, transaction) else {
                    transaction.act = nil
                    return
                }
                if present?.record.path != file.path.string { try file.requireAbsent(butBegunFor: identifier) }
                try file.requireForAll()
                if let present { try transaction.delete(present) }
                let made = try AnchorFounding(file, in: transaction)
                transaction.noteKeyChange()
                guard !isRehearsed else { return }
                founding = made
                try made.begin()
            }
        } catch {
            if let founding, mayName(founding) { founding.keep() }
            throw error
        }
        founding?.complete()
    }

    /// Whether a commit that answered with an error may have taken place all the same, or may yet: until another has, it can be
    /// in the log. Then the file stays as it is, as what names it would be without it.
    private func mayName(_ founding: AnchorFounding) -> Bool {
        guard generation.read().isSettled else { return true }
        let isNamed = try? read { (transaction) throws(KeyStoreError) in
            founding.isNamed(by: try transaction.find(AnchorRow.self, AnchorRow.name)?.record)
        }
        return isNamed ?? true
    }

    /// Whether the anchor that is to be set is there already, and well.
    /// - Throws: what keeps it from being made anew: `.damaged`, and anything but its loss.
    private func isKept(
        _ present: Held<AnchorRow>?, for file: AnchorFile, _ transaction: RecordTransaction
    ) throws(KeyStoreError) -> Bool {
        guard let present else { return false }
        let isSame = present.record.path == file.path.string
        switch try standing(present, transaction) {
        case .success(let standing):
            try standing.require(present.record, present.record.path)
            return isSame
        case .failure(let error):
            guard error.kind != .damaged, !isSame || error.kind == .unavailable else { throw error }
            return false
        }
    }

    /// The path of the anchor; nil for a store without.
    public func anchorPath() throws(KeyStoreError) -> String? {
        try read { (transaction) throws(KeyStoreError) in
            try transaction.find(AnchorRow.self, AnchorRow.name)?.record.path
        }
    }

    /// How the store stands to its anchor; nil without one.
    /// - Parameters:
    ///   - given: a file that is to be the store's anchor, whatever the store itself says.
    ///   - isVerifying: takes an anchor that cannot be read for a failure.
    ///   - sight: of ``readBesideAnchor(_:)``, whose transaction it is.
    /// - Throws: `.damaged` for a store that is not the one its anchor knows.
    func anchorReport(
        _ transaction: RecordTransaction, given: String?, isVerifying: Bool, _ sight: AnchorSight
    ) throws(KeyStoreError) -> AnchorReport? {
        do throws(KeyStoreError) { return try compared(transaction, given, isVerifying, sight) } catch {
            if error.kind == .damaged { sight.noteAlarm() }
            throw error
        }
    }

    private func compared(
        _ transaction: RecordTransaction, _ given: String?, _ isVerifying: Bool, _ sight: AnchorSight
    ) throws(KeyStoreError) -> AnchorReport? {
        let held = try transaction.find(AnchorRow.self, AnchorRow.name)
        if let given { try require(given, held, transaction, sight) }
        guard let held else { return nil }
        let path = held.record.path
        switch try standing(held, transaction) {
        case .failure(let error):
            guard error.kind != .damaged else { throw error }
            guard !isVerifying else { throw AnchorKeeper.withHint(error, try AbsolutePath(path), "") }
            return AnchorReport(path: path, state: .unreadable(error.reason))
        case .success(let standing):
            let seen = sight.judged(standing, of: held.record, path)
            try seen.require(held.record, path)
            return AnchorReport(path: path, state: seen == .holds ? .holds : .behind)
        }
    }

    /// That the store is the one which the file knows.
    private func require(
        _ path: String, _ held: Held<AnchorRow>?, _ transaction: RecordTransaction, _ sight: AnchorSight
    ) throws(KeyStoreError) {
        let file = try AnchorFile(path, rules)
        guard let held else {
            // Without its key the file cannot be told from one that somebody made up; either way it is for a person to look.
            _ = try file.read(nil, store: identifier)
            throw KeyStoreError(
                .damaged, "store", "it is older than its anchor \(file.path.string) says: it knows of no anchor",
                hint: AnchorStanding.hint)
        }
        let mark = try file.read(try transaction.anchorKey(of: held), store: identifier)
        try sight.judged(held.record.standing(to: mark), of: held.record, file.path.string)
            .require(held.record, file.path.string)
    }

    /// How the store stands to the file, or why that cannot be told.
    private func standing(
        _ held: Held<AnchorRow>, _ transaction: RecordTransaction
    ) throws(KeyStoreError) -> Result<AnchorStanding, KeyStoreError> {
        let key = try transaction.anchorKey(of: held)
        do {
            let mark = try AnchorFile(held.record.path, rules).read(key, store: identifier)
            return .success(held.record.standing(to: mark))
        } catch { return .failure(error) }
    }
}
