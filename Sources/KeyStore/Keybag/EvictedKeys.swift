/// Class keys that a transaction takes out of the session because it destroys their wraps: before its commit, so that none
/// stays when the process is killed, and put back when it comes to nothing.
final class EvictedKeys {
    private var kept: ClassKeys = [:]

    func evict(
        _ versions: [ClassKeyVersion], from source: any ClassKeySource, in rows: any StorageTransaction
    ) throws(KeyStoreError) {
        for version in versions { kept[version] = try source.fetch(version, in: rows) }
        try source.evict(versions, in: rows)
    }

    /// As long as the store is unlocked, and no longer. What cannot be put back is there again when it is unlocked.
    func putBack(to source: any ClassKeySource, of storage: any KeyStorage) {
        guard !kept.isEmpty else { return }
        try? storage.read { (rows) throws(KeyStoreError) in
            let timeout = try source.secondsUntilLock(in: rows).map { max(1, $0) }
            try source.put(kept, timeout: timeout, in: rows)
        }
    }
}

extension Store {
    /// Runs a transaction that destroys class keys; those it takes out of the session are put back when it throws.
    func puttingBackEvicted<Result>(
        _ body: (EvictedKeys) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        let evicted = EvictedKeys()
        do throws(KeyStoreError) { return try body(evicted) } catch {
            evicted.putBack(to: source, of: storage)
            throw error
        }
    }
}
