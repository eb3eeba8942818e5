public import FoundationEssentials

extension AES.GCM {
    /// A nonce of exactly 12 bytes; CryptoKit takes longer ones too.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        static let byteCount = 12

        private var words: (UInt32, UInt32, UInt32) = (0, 0, 0)

        /// 12 random bytes from the system's generator; traps where the system gives no randomness.
        public init() {
            Swift.withUnsafeMutableBytes(of: &words) { bytes in
                orTrap { () throws(CryptoKitError) in
                    do throws(SystemRandomBytes.Unavailable) {
                        try SystemRandomBytes.fill(bytes)
                    } catch {
                        throw .underlyingCoreCryptoError(error: error.code)
                    }
                }
            }
        }

        /// The 12 bytes given; `incorrectParameterSize` for any other number of them.
        public init<D: DataProtocol>(data: D) throws {
            guard data.count == Self.byteCount else { throw CryptoKitError.incorrectParameterSize }
            _ = Swift.withUnsafeMutableBytes(of: &words) { data.copyBytes(to: $0) }
        }

        /// Runs the body on the 12 bytes; the pointer is valid for the call only.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try Swift.withUnsafeBytes(of: words, body)
        }

        /// The bytes in order.
        public func makeIterator() -> Array<UInt8>.Iterator {
            withUnsafeBytes { Array($0) }.makeIterator()
        }
    }
}
