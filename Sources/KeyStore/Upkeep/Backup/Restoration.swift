internal import CryptoPrimitives
internal import EnvelopeFormat

/// Puts the rows of a backup into a store that is being made.
///
/// Every epoch that could be sealed under is stepped 64 ahead before it is written: what was sealed under after the
/// backup was made is not sealed under again (docs/decisions/0015-backup.md).
struct Restoration {
    static let epochsAhead = 64

    let contents: BackupContents
    let now: Int64

    /// - Parameter goesOn: asked now and then, with how many rows are restored; false ends it.
    func run(_ transaction: RecordTransaction, _ goesOn: (Int) -> Bool) throws(KeyStoreError) -> RestoredStore {
        let life = LifeCycle(rows: transaction, now: now)
        transaction.act = AuditNote(
            .restore, "store \(transaction.cipher.store)",
            reason: "of the backup of store \(contents.summary.store) made at \(contents.summary.created)")
        var result = RestoredStore(contents: contents.summary)
        var behind: [ConversationIdentifier] = []
        var exhausted: [ConversationIdentifier] = []
        var count = 0
        result.contents = try contents.forEachRow { (row, secret) throws(KeyStoreError) in
            if count.isMultiple(of: 500), !goesOn(count) { throw .interrupted }
            count += 1
            guard row.table == .conversationSecret, let secret, let record = try advanced(row) else {
                try transaction.insert(row, secret: secret?.secret, under: secret?.under ?? .afterFirstUnlock)
                return
            }
            switch record {
            case .split:
                try transaction.insert(row, secret: secret.secret, under: secret.under)
                result.splitCount += 1
            case .exhausted(let name):
                try transaction.insert(row, secret: secret.secret, under: secret.under)
                exhausted.append(name)
            case .stepped(let record):
                let chain: ConversationSecret
                do throws(FormatError) { chain = try ConversationSecret(secret.secret) } catch {
                    throw KeyStoreError(.damaged, row.subject, error.description)
                }
                let next = chain.stepped(Self.epochsAhead, in: record.conversation)
                try transaction.insert(record, secret: next.rawKey, under: secret.under)
                result.steppedCount += 1
                if record.epoch >= Cryptoperiod.bundleEpochs { behind.append(record.conversation) }
            }
        }
        for name in Set(exhausted.map(\.string)).sorted() {
            guard let row = try transaction.find(ConversationRow.self, name) else { continue }
            var conversation = try life.conversation(row)
            try life.replaceSecret(in: &conversation, as: .deactivated)
            result.replacedCount += 1
        }
        for name in behind {
            let conversation = try life.conversation(name)
            for secret in [conversation.active, conversation.waiting].compactMap({ $0 }) {
                try life.renewBundles(of: secret, in: conversation)
            }
        }
        return result
    }

    private enum Advance {
        /// It has no epochs.
        case split
        /// There are not that many epochs left; the conversation goes on under a fresh secret.
        case exhausted(ConversationIdentifier)
        case stepped(SecretRow)
    }

    /// Nil for a secret that is not sealed under any more.
    private func advanced(_ row: StoredRow) throws(KeyStoreError) -> Advance? {
        var record = try Held<SecretRow>(row).record
        guard [.active, .suspended, .preActivation].contains(record.state) else { return nil }
        if record.algorithm == .split { return .split }
        guard record.epoch + Self.epochsAhead <= KeyIdentifier.lastEpoch else { return .exhausted(record.conversation) }
        record.epoch += Self.epochsAhead
        record.leased = 0
        if record.epochStarted != nil { record.epochStarted = now }
        return .stepped(record)
    }
}
