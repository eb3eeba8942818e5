import CryptoPrimitives
import EnvelopeFormat

@testable import KeyStore

/// Rows at rest. A row of any table, with any values, is sealed; then it is edited, as a row or as the cells of a database of no
/// types, and read. Only what was sealed may be taken.
struct RowFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .outcome, .bound, .authenticity]
    private static let bound = Bound(factor: 8, constant: 4_096)

    private let database: CellDatabase
    private let cipher: RowCipher
    private let otherStore: RowCipher

    init(_: Rings) throws {
        database = try CellDatabase()
        let classKey = ClassKeyVersion(.afterFirstUnlock, 1)
        func key(_ byte: UInt8) throws -> GuardedBytes {
            try [UInt8](repeating: byte, count: KeyWrap.keyByteCount).withUnsafeBytes { try GuardedBytes(copying: $0) }
        }
        try database.addClassKey(classKey)
        let keys = OperationKeys([.integrity: try key(1), classKey: try key(2)], NoSource(), database.transaction)
        // Before a run has rows of that table.
        _ = try keys.currentVersion(of: .afterFirstUnlock)
        cipher = RowCipher(store: "a store", keys: keys)
        otherStore = RowCipher(store: "another", keys: keys)
    }

    func run(_ input: [UInt8]) throws -> Bool {
        var reader = InputReader(input)
        let throughDatabase = reader.byte() & 1 == 1
        var row = RowMaking.row(&reader)
        var secret: SymmetricKey?
        if row.table.carriesSecret, reader.byte() & 1 == 1 {
            let key = SymmetricKey(data: reader.bytes())
            row.secret = try cipher.wrap(key, under: .afterFirstUnlock, for: row)
            secret = key
        }
        try cipher.seal(&row)
        try checkAuthentic(row, secret, isOne(of: 4, input))
        var edited = row
        for _ in 0..<reader.number(below: 4) { RowMaking.edit(&edited, &reader) }
        check(edited, against: row, input.count)
        guard throughDatabase else { return false }
        let cells = (0..<reader.number(below: 3)).map { _ in CellEdit(&reader) }
        do throws(KeyStoreError) {
            guard let read = try database.roundTrip(edited, cells) else { violation("identity: a row is not found by its name") }
            require(.identity, !cells.isEmpty || read.isSame(as: edited), "a row comes out of the database as another")
            check(read, against: row, input.count)
        } catch {
            require(.outcome, error.kind == .damaged, "a row that cannot be read is not called damaged")
            require(.identity, !cells.isEmpty, "a row that was written as it is cannot be read")
        }
        return false
    }

    /// The row as it was sealed is taken, and what its record writes is what was read.
    private func checkAuthentic(_ row: StoredRow, _ secret: SymmetricKey?, _ isWhole: Bool) throws {
        if isWhole {
            require(.identity, accepts(row), "a row is not taken that was sealed")
            require(.authenticity, (try? otherStore.check(row)) == nil, "a row of another store is taken")
        }
        if let secret { require(.identity, try cipher.unwrap(row) == secret, "another secret comes out") }
        var fields = FieldReader(row)
        do throws(KeyStoreError) {
            let record = try row.table.record.init(identifier: row.identifier, fields: &fields)
            require(
                .identity, record.values == row.values && record.identifier.isSame(as: row.identifier) && !isPlanted(.identity),
                "a record writes something else than it read")
        } catch {
            require(.outcome, (isPlanted(.outcome) ? .refused : error.kind) == .damaged, "a form that is wrong is not called damaged")
        }
    }

    /// Whether the row is taken; it must be the one that was sealed then, and its secret comes out where it belongs alone.
    private func check(_ row: StoredRow, against sealed: StoredRow, _ byteCount: Int) {
        let isTaken = Self.bound.measured(byteCount + sealed.byteCount) { accepts(row) }
        require(.authenticity, isTaken == row.isSame(as: sealed) && !isPlanted(.authenticity), "a row that was edited is taken")
        guard row.secret != nil, (try? cipher.unwrap(row)) != nil else { return }
        require(.authenticity, row.keepsSecret(of: sealed), "a secret comes out of another row")
    }

    private func accepts(_ row: StoredRow) -> Bool {
        do {
            try cipher.check(row)
            return true
        } catch {
            require(.outcome, error.kind == .damaged, "a row that was edited is not called damaged")
            return false
        }
    }
}

extension StoredRow {
    /// Byte by byte: of two texts that Swift takes for the same, each has a seal of its own.
    fileprivate func isSame(as other: StoredRow) -> Bool {
        isSameSecret(as: other) && table == other.table && identifier.isSame(as: other.identifier) && version == other.version
            && values == other.values && sealed == other.sealed
    }

    private func isSameSecret(as other: StoredRow) -> Bool {
        secret == other.secret && (secret?.classKey ?? "").isSame(as: other.secret?.classKey ?? "")
    }

    /// Whether everything that is bound to the secret is as in the other row.
    fileprivate func keepsSecret(of other: StoredRow) -> Bool {
        guard isSameSecret(as: other), table == other.table, identifier.isSame(as: other.identifier) else { return false }
        return zip(table.columns, zip(values, other.values)).allSatisfy { !$0.isFixed || $1.0 == $1.1 }
    }

    fileprivate var byteCount: Int {
        let bytes = secret.map { $0.itemKey.count + $0.value.count } ?? 0
        return values.reduce(identifier.utf8.count + sealed.count + bytes) { sum, value in
            switch value {
            case .text(let text): sum + text.utf8.count
            case .blob(let blob): sum + blob.count
            default: sum + 8
            }
        }
    }
}
