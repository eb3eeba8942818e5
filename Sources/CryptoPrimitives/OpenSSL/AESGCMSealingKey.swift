import COpenSSL
import Glibc
import Synchronization

/// An AES-256-GCM key (NIST SP 800-38D) for many seals: its key schedule is kept, which halves the time of a short seal.
///
/// Any number of threads may seal at once. Each takes one of a few contexts, as many as the machine has processors, and
/// no two of them share a cache line; where all are taken it makes one for that call. The nonce is the caller's, so a
/// fork repeats nothing by itself. Everything is wiped at deinit.
package final class AESGCMSealingKey: @unchecked Sendable {
    private let key: SymmetricKey
    private let memory: UnsafeMutableRawPointer

    /// Keeps the key; `incorrectKeySize` unless it has 256 bits.
    package init(_ key: SymmetricKey) throws(CryptoKitError) {
        let first = try AESGCMContext(key: key, for: .sealing)
        self.key = key
        memory = .allocate(byteCount: Self.slotCount * Slot.byteCount, alignment: Slot.byteCount)
        for index in 0..<Self.slotCount {
            slot(index).initialize(to: Slot())
        }
        slot(ThreadNumber.current % Self.slotCount).pointee.keep(first)
    }

    deinit {
        for index in 0..<Self.slotCount {
            slot(index).deinitialize(count: 1)
        }
        memory.deallocate()
    }

    /// Writes ciphertext and tag, 16 bytes more than the plaintext, into the output; the nonce has 12 bytes.
    ///
    /// Throws `incorrectParameterSize` for other lengths, and wipes the output where it throws. The output may begin
    /// where the plaintext does, and else must not overlap it.
    package func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        authenticating authenticated: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoKitError) {
        let start = ThreadNumber.current
        for attempt in 0..<Self.slotCount {
            let slot = slot((start &+ attempt) % Self.slotCount)
            guard slot.pointee.take() else { continue }
            defer { slot.pointee.giveBack() }
            return try slot.pointee.seal(plaintext, nonce, authenticated, output, key: key)
        }
        let context = try AESGCMContext(key: key, for: .sealing)
        try context.seal(plaintext, nonce: nonce, authenticating: authenticated, into: output)
    }

    func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        (memory + index * Slot.byteCount).assumingMemoryBound(to: Slot.self)
    }

    /// As many as there are processors, at least 2 and at most 16.
    static let slotCount = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2), 16)
}
