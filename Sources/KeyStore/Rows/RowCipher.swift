internal import CryptoPrimitives

/// Seals rows and the secrets in them, and judges them when they are read (docs/decisions/0004-sealed-rows.md).
struct RowCipher {
    let store: String
    let keys: OperationKeys

    /// Writes the row's seal over everything else in it.
    func seal(_ row: inout StoredRow) throws(KeyStoreError) {
        let key = try integrityKey(row.subject)
        do {
            row.sealed = try KeyWrap.wrap(
                UnsafeRawBufferPointer(start: nil, count: 0), key: key, associatedData: context(of: row))
        } catch { throw KeyStoreError(error, row.subject) }
    }

    /// - Throws: `.damaged` when anything in the row is not as it was sealed, `.locked` without the key to tell.
    func check(_ row: StoredRow) throws(KeyStoreError) {
        let key = try integrityKey(row.subject)
        do {
            try KeyWrap.unwrap(
                row.sealed, into: UnsafeMutableRawBufferPointer(start: nil, count: 0), key: key,
                associatedData: context(of: row))
        } catch {
            throw KeyStoreError(.damaged, row.subject, "it is not as it was written")
        }
    }

    /// Wraps a secret for the row under a fresh item key, that under the newest class key of that name.
    func wrap(
        _ secret: SymmetricKey, under name: ClassKeyName, for row: StoredRow
    ) throws(KeyStoreError) -> WrappedSecret {
        let version = try keys.currentVersion(of: name)
        guard let classKey = try keys.classKey(version) else { throw Self.locked(row.subject) }
        var wrapped = WrappedSecret(
            classKey: name.rawValue, classKeyVersion: version.version, itemKey: [], value: [])
        let itemKeyContext = context("item key", of: row, wrapped)
        let valueContext = context("value", of: row, wrapped)
        do {
            try WipedBytes.with(KeyWrap.keyByteCount) { (itemKey) throws(SodiumError) in
                try SodiumLibrary.fillRandom(itemKey)
                let itemKey = UnsafeRawBufferPointer(itemKey)
                wrapped.itemKey = try KeyWrap.wrap(itemKey, key: classKey, associatedData: itemKeyContext)
                wrapped.value = try secret.withUnsafeBytes { bytes in
                    Result { () throws(SodiumError) in
                        try KeyWrap.wrap(bytes, keyBytes: itemKey, associatedData: valueContext)
                    }
                }.get()
            }
        } catch { throw KeyStoreError(error, row.subject) }
        return wrapped
    }

    /// The secret of a row that was checked.
    /// - Throws: `.locked` without its class key, `.notFound` when the row holds none, `.damaged`.
    func unwrap(_ row: StoredRow) throws(KeyStoreError) -> SymmetricKey {
        guard let wrapped = row.secret else { throw KeyStoreError(.notFound, row.subject, "its secret is gone") }
        guard let name = ClassKeyName(rawValue: wrapped.classKey), wrapped.classKeyVersion > 0 else {
            throw Self.absent(row.subject)
        }
        let version = ClassKeyVersion(name, wrapped.classKeyVersion)
        guard let classKey = try keys.classKey(version) else {
            // One that was never made is not locked away, or such a row would pass for as long as nobody needs it.
            throw try keys.isKept(version) ? Self.locked(row.subject) : Self.absent(row.subject)
        }
        guard wrapped.value.count >= KeyWrap.overheadByteCount else { throw Self.edited(row.subject) }
        let itemKeyContext = context("item key", of: row, wrapped)
        let valueContext = context("value", of: row, wrapped)
        do {
            return try WipedBytes.with(KeyWrap.keyByteCount) { (itemKey) throws(SodiumError) in
                try KeyWrap.unwrap(wrapped.itemKey, into: itemKey, key: classKey, associatedData: itemKeyContext)
                return try WipedBytes.with(wrapped.value.count - KeyWrap.overheadByteCount) {
                    (value) throws(SodiumError) in
                    try KeyWrap.unwrap(
                        wrapped.value, into: value, keyBytes: UnsafeRawBufferPointer(itemKey),
                        associatedData: valueContext)
                    return SymmetricKey(data: UnsafeRawBufferPointer(value))
                }
            }
        } catch {
            switch error {
            case .notAuthentic, .wrongLength: throw Self.edited(row.subject)
            default: throw KeyStoreError(error, row.subject)
            }
        }
    }

    private static func absent(_ subject: String) -> KeyStoreError {
        KeyStoreError(.damaged, subject, "there is no such class key")
    }

    private static func edited(_ subject: String) -> KeyStoreError {
        KeyStoreError(.damaged, subject, "its secret is not as it was written")
    }

    static func locked(_ subject: String) -> KeyStoreError {
        KeyStoreError(.locked, subject, "the store is locked", hint: "keyctl unlock")
    }

    /// - Parameter subject: asked for only when there is something to say of it.
    func integrityKey(_ subject: @autoclosure () -> String) throws(KeyStoreError) -> GuardedBytes {
        guard let key = try keys.key(.integrity) else { throw Self.locked(subject()) }
        return key
    }

    /// Everything in the row but its seal.
    private func context(of row: StoredRow) -> [UInt8] {
        var context = AssociatedData("waxwing key store 1: row")
        context.append(store)
        context.append(row.table.name)
        context.append(row.identifier)
        context.append(row.version)
        for (column, value) in zip(row.table.columns, row.values) {
            context.append(encoded: column.encodedName)
            context.append(value)
        }
        if let secret = row.secret {
            context.append(secret.classKey)
            context.append(secret.classKeyVersion)
            context.append(secret.itemKey)
            context.append(secret.value)
        }
        return context.bytes
    }

    /// What stays with a secret as long as it lives: where it is, its class, and the fixed columns.
    private func context(_ part: String, of row: StoredRow, _ secret: WrappedSecret) -> [UInt8] {
        var context = AssociatedData("waxwing key store 1: \(part)")
        context.append(store)
        context.append(row.table.name)
        context.append(row.identifier)
        context.append(secret.classKey)
        context.append(secret.classKeyVersion)
        for (column, value) in zip(row.table.columns, row.values) where column.isFixed {
            context.append(encoded: column.encodedName)
            context.append(value)
        }
        return context.bytes
    }
}
