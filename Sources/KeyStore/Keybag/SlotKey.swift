/// The key-encryption key of a slot, from what unlocks it.
enum SlotKey {
    /// Argon2id, with the parameters of the slot checked before any memory is taken.
    static func derive(_ slot: SlotRow, _ passphrase: Passphrase) throws(KeyStoreError) -> GuardedBytes {
        let parameters = try parameters(of: slot)
        do { return try Argon2id.derive(from: passphrase, salt: slot.salt, parameters: parameters) } catch {
            throw KeyStoreError(error, subject(slot))
        }
    }

    /// - Throws: `.damaged` for parameters, or a salt, that nobody here writes.
    static func parameters(of slot: SlotRow) throws(KeyStoreError) -> Argon2idParameters {
        guard let passes = slot.passes, let memory = slot.memoryMiB, slot.salt.count == Argon2id.saltByteCount,
            let parameters = try? Argon2idParameters(passes: Int(clamping: passes), memoryMiB: Int(clamping: memory))
        else {
            throw KeyStoreError(.damaged, subject(slot), "its Argon2id parameters are outside what is accepted")
        }
        return parameters
    }

    private static func subject(_ slot: SlotRow) -> String { "row slot/\(slot.identifier)" }
}
