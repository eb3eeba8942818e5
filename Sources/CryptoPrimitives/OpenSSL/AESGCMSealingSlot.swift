import Synchronization

extension AESGCMSealingKey {
    /// A place for one context, in cache lines of its own, used by one thread at a time.
    struct Slot: ~Copyable {
        /// Two lines, as processors fetch them in pairs.
        static let byteCount = 128

        private let isTaken = Atomic<Bool>(false)
        private var context: AESGCMContext?

        /// Whether the slot is the caller's from now on, until ``giveBack()``.
        func take() -> Bool {
            isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
        }

        func giveBack() {
            isTaken.store(false, ordering: .releasing)
        }

        mutating func keep(_ made: consuming AESGCMContext) {
            context = consume made
        }

        /// Seals with the slot's context, made where there is none yet, by the thread that uses it.
        mutating func seal(
            _ plaintext: UnsafeRawBufferPointer, _ nonce: UnsafeRawBufferPointer,
            _ authenticated: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, key: SymmetricKey
        ) throws(CryptoKitError) {
            if context == nil { context = try AESGCMContext(key: key, for: .sealing) }
            try context?.seal(plaintext, nonce: nonce, authenticating: authenticated, into: output)
        }
    }
}
