internal import CryptoPrimitives

/// Checks every row of every table: its seal, its form, and its secret when the class key is at hand; then the audit log, the
/// structure of the database, and that these are all the rows there were, each the one written last.
struct Verification {
    private let transaction: RecordTransaction

    init(_ transaction: RecordTransaction) { self.transaction = transaction }

    /// The number of rows that hold.
    /// - Parameter goesOn: asked now and then, with how many rows were looked at; false ends it.
    /// - Throws: `.damaged` naming the first that does not, else the first audit entry that does not follow, else what of the
    ///   structure is not as it should be, else the first shard whose rows are not those it counted.
    func run(_ goesOn: (Int) -> Bool) throws(KeyStoreError) -> Int {
        var count = 0
        var totals = DigestTotals()
        // Without its root the rows are checked still, so that what is named is what was edited.
        var digest: Digest?
        var failure = KeyStoreError(.damaged, "row digest/root", "it is not there")
        do { digest = try Digest(transaction) } catch {
            guard error.kind == .damaged else { throw error }
            failure = error
        }
        let log = AuditVerifier(transaction)
        try log.begin()
        for table in Table.allCases {
            try transaction.storage.eachRow(of: table) { (row) throws(KeyStoreError) in
                if count.isMultiple(of: 1_000), !goesOn(count) { throw .interrupted }
                try check(row)
                count += 1
                if table == .auditEntry { try log.take(row, isChecked: true) }
                guard let digest, row.table != .digest || row.identifier != DigestRow.rootName else { return }
                totals.add(try digest.element(of: row), to: DigestShard(of: row))
            }
        }
        // Before the digest: what it says names the entry.
        if let fault = try log.end().fault {
            throw KeyStoreError(
                .damaged, "audit entry \(fault.number)", fault.reason, hint: "keyctl audit verify --key FILE")
        }
        guard let digest else { throw failure }
        try transaction.storage.checkStructure()
        for shard in DigestShard.all + [.root] { try compare(totals[shard], digest, shard) }
        return count
    }

    private func check(_ row: StoredRow) throws(KeyStoreError) {
        try transaction.cipher.check(row)
        var reader = FieldReader(row)
        _ = try row.table.record.init(identifier: row.identifier, fields: &reader)
        guard row.secret != nil else { return }
        do {
            _ = try transaction.cipher.unwrap(row)
        } catch {
            guard error.kind == .locked else { throw error }
        }
    }

    private func compare(_ found: DigestTotal, _ digest: Digest, _ shard: DigestShard) throws(KeyStoreError) {
        let written = try digest.total(of: shard) ?? DigestTotal()
        guard found.count != written.count || !constantTimeEqual(found.sum.bytes, written.sum.bytes) else { return }
        let numbers = "\(found.count) rows where \(written.count) were written"
        let reason =
            if found.count < written.count {
                "\(numbers): one was taken out"
            } else if found.count > written.count {
                "\(numbers): one was put in"
            } else {
                "one of its rows is not the one that was written last"
            }
        throw KeyStoreError(.damaged, "digest \(shard.name)", reason)
    }
}

extension Table {
    /// The type that reads rows of this kind.
    var record: any Record.Type {
        switch self {
        case .store: StoreRow.self
        case .slot: SlotRow.self
        case .classKey: ClassKeyRow.self
        case .digest: DigestRow.self
        case .anchor: AnchorRow.self
        case .serviceKey: ServiceKeyRow.self
        case .auditLog: AuditLogRow.self
        case .auditEntry: AuditEntryRow.self
        case .device: DeviceRow.self
        case .sequence: SequenceRow.self
        case .conversation: ConversationRow.self
        case .conversationSecret: SecretRow.self
        case .lease: LeaseRow.self
        case .member: MemberRow.self
        case .bundle: BundleRow.self
        case .handleUse: HandleUseRow.self
        case .rotationRun: RotationRunRow.self
        case .replacement: ReplacementRow.self
        case .identity: IdentityRow.self
        case .deviceState: DeviceStateRow.self
        case .heldEpoch: HeldEpochRow.self
        case .installedBundle: InstalledBundleRow.self
        case .replay: ReplayRow.self
        case .splitKey: SplitKeyRow.self
        case .item: ItemRow.self
        }
    }
}
