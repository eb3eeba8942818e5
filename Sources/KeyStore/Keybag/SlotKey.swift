/// The key-encryption key of a slot, from what unlocks it.
enum SlotKey {
    /// Argon2id, with the parameters of the slot checked before any memory is taken.
    static func derive(_ slot: SlotRow, _ passphrase: Passphrase) throws(KeyStoreError) -> GuardedBytes {
        let subject = "row slot/\(slot.identifier)"
        guard let passes = slot.passes, let memory = slot.memoryMiB,
            Argon2idParameters.acceptedPasses.contains(Int(clamping: passes)),
            Argon2idParameters.acceptedMemoryMiB.contains(Int(clamping: memory)),
            slot.salt.count == Argon2id.saltByteCount
        else { throw KeyStoreError(.damaged, subject, "its Argon2id parameters are outside what is accepted") }
        do {
            let parameters = try Argon2idParameters(passes: Int(passes), memoryMiB: Int(memory))
            return try Argon2id.derive(from: passphrase, salt: slot.salt, parameters: parameters)
        } catch {
            throw KeyStoreError(error, subject)
        }
    }
}
