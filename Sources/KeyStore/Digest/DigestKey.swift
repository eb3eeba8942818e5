/// The key of a store's digest, which makes of each row the number that is summed.
///
/// It is drawn when the digest is founded and is kept in the root, so that it stays when the class keys are made anew: rows
/// can then be sealed under the new integrity key a few at a time.
struct DigestKey {
    let store: String
    let bytes: GuardedBytes

    /// The row as it is with that seal, which stands for all that is in it and is another with every write.
    func element(_ row: RowChanges.Name, sealed: [UInt8]) throws(KeyStoreError) -> DigestSum {
        var message = AssociatedData("waxwing key store 1: digest of a row")
        message.append(store)
        message.append(row.table.name)
        message.append(row.identifier)
        message.append(sealed)
        let digest: [UInt8]
        do { digest = try KeyedDigest.digest(of: message.bytes, key: bytes) } catch {
            throw KeyStoreError(error, row.subject)
        }
        guard let element = DigestSum(digest) else {
            throw KeyStoreError(.unavailable, row.subject, "its digest has no 32 bytes")
        }
        return element
    }

    func element(of row: StoredRow) throws(KeyStoreError) -> DigestSum {
        try element(RowChanges.Name(table: row.table, identifier: row.identifier), sealed: row.sealed)
    }
}
