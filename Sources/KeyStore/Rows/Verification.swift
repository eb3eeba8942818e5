/// Checks every row of every table: its seal, its form, and its secret when the class key is at hand.
struct Verification {
    private static let rowsAtOnce = 1_000
    private let transaction: RecordTransaction

    init(_ transaction: RecordTransaction) { self.transaction = transaction }

    /// The number of rows that hold.
    /// - Throws: `.damaged` naming the first that does not.
    func run() throws(KeyStoreError) -> Int {
        var count = 0
        for table in Table.allCases {
            var last: String?
            while true {
                let matches = last.map { [Match.after($0)] } ?? []
                let rows = try transaction.storage.rows(table, matches, limit: Self.rowsAtOnce)
                for row in rows { try check(row) }
                count += rows.count
                guard rows.count == Self.rowsAtOnce else { break }
                last = rows.last?.identifier
            }
        }
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
}

extension Table {
    /// The type that reads rows of this kind.
    var record: any Record.Type {
        switch self {
        case .store: StoreRow.self
        case .slot: SlotRow.self
        case .classKey: ClassKeyRow.self
        case .serviceKey: ServiceKeyRow.self
        case .device: DeviceRow.self
        case .sequence: SequenceRow.self
        case .conversation: ConversationRow.self
        case .conversationSecret: SecretRow.self
        case .lease: LeaseRow.self
        case .member: MemberRow.self
        case .bundle: BundleRow.self
        case .handleUse: HandleUseRow.self
        case .rotationRun: RotationRunRow.self
        case .identity: IdentityRow.self
        case .deviceState: DeviceStateRow.self
        case .heldEpoch: HeldEpochRow.self
        case .installedBundle: InstalledBundleRow.self
        case .replay: ReplayRow.self
        case .splitKey: SplitKeyRow.self
        }
    }
}
