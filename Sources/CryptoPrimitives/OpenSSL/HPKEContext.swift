import FoundationEssentials

/// Context (RFC 9180 5.2, 5.3): the keys of one encapsulated key and the number of messages so far.
struct HPKEContext: Sendable {
    let schedule: HPKEKeySchedule

    /// The number of the next message.
    var sequenceNumber: UInt64 = 0

    init(schedule: HPKEKeySchedule) {
        self.schedule = schedule
    }

    /// ContextS.Seal: ciphertext and tag. A message that fails does not count.
    mutating func seal(_ message: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        let next = try sequenceNumberAfterThis()
        let context = try AESGCMContext(key: schedule.key, for: .sealing)
        var sealed = Data()
        try withNonce { (nonce) throws(CryptoKitError) in
            try message.withContiguousBytes { (plaintext) throws(CryptoKitError) in
                try data.withContiguousBytes { (authenticated) throws(CryptoKitError) in
                    sealed = try Data(byteCount: plaintext.count + AES.GCM.tagByteCount) {
                        (output) throws(CryptoKitError) in
                        try context.seal(plaintext, nonce: nonce, authenticating: authenticated, into: output)
                    }
                }
            }
        }
        sequenceNumber = next
        return sealed
    }

    /// ContextR.Open: the message. A ciphertext that fails does not count.
    mutating func open(_ ciphertext: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        guard ciphertext.count >= AES.GCM.tagByteCount else { throw HPKE.Errors.ciphertextTooShort }
        let next = try sequenceNumberAfterThis()
        let context = try AESGCMContext(key: schedule.key, for: .opening)
        var opened = Data()
        try withNonce { (nonce) throws(CryptoKitError) in
            try ciphertext.withContiguousBytes { (sealed) throws(CryptoKitError) in
                try data.withContiguousBytes { (authenticated) throws(CryptoKitError) in
                    opened = try Data(byteCount: sealed.count - AES.GCM.tagByteCount) {
                        (output) throws(CryptoKitError) in
                        try context.open(sealed, nonce: nonce, authenticating: authenticated, into: output)
                    }
                }
            }
        }
        sequenceNumber = next
        return opened
    }

    /// Context.Export: `outputByteCount` bytes, `incorrectParameterSize` outside 1...8,160.
    func exportSecret(context: some DataProtocol, outputByteCount: Int) throws(CryptoKitError) -> SymmetricKey {
        let labels = HPKELabels(suiteIdentifier: schedule.ciphersuite.identifier)
        let secret = try labels.expand(
            schedule.exporterSecret, label: "sec", info: context, outputByteCount: outputByteCount)
        return SymmetricKey(storage: secret)
    }

    /// IncrementSeq, asked before the message is made: the last number is never used.
    private func sequenceNumberAfterThis() throws -> UInt64 {
        guard sequenceNumber < .max else { throw HPKE.Errors.outOfRangeSequenceNumber }
        return sequenceNumber + 1
    }

    /// ComputeNonce: the base nonce, its last 8 bytes combined with the sequence number.
    private func withNonce(_ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        try withWipedBytes(AES.GCM.Nonce.byteCount) { (nonce) throws(CryptoKitError) in
            schedule.baseNonce.withUnsafeBytes { nonce.copyMemory(from: $0) }
            for index in 0..<8 {
                nonce[nonce.count - 1 - index] ^= UInt8(truncatingIfNeeded: sequenceNumber >> (8 * UInt64(index)))
            }
            try body(UnsafeRawBufferPointer(nonce))
        }
    }
}
