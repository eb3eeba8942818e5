internal import CSodium
internal import CryptoPrimitives

/// A key of keyed BLAKE2b-256 that is replaced by the next after each use, so that whoever learns it later can make no
/// earlier MAC. In a buffer that is wiped, not in guarded memory: it changes with every entry of a long transaction.
final class EvolvingKey {
    static let byteCount = 32

    private let bytes: UnsafeMutablePointer<UInt8>

    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)``.
    init(_ key: SymmetricKey) throws(SodiumError) {
        try SodiumLibrary.prepare()
        guard key.bitCount == Self.byteCount * 8 else {
            throw .wrongLength(of: "evolving key", byteCount: key.bitCount / 8)
        }
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.byteCount)
        key.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: bytes, count: Self.byteCount).copyMemory(from: $0) }
        self.bytes = bytes
    }

    deinit {
        sodium_memzero(bytes, Self.byteCount)
        bytes.deallocate()
    }

    /// The MAC of a message under the key as it is now.
    func mac(of message: [UInt8]) throws(SodiumError) -> [UInt8] {
        var mac = [UInt8](repeating: 0, count: Self.byteCount)
        try digest(message, into: &mac)
        return mac
    }

    /// Puts the key that follows in the place of this one: the MAC of the label.
    func advance(_ label: [UInt8]) throws(SodiumError) {
        var next: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        defer { sodium_memzero(&next, Self.byteCount) }
        let status = withUnsafeMutableBytes(of: &next) { next in
            guard let start = next.bindMemory(to: UInt8.self).baseAddress else { return Int32(-1) }
            return crypto_generichash(start, Self.byteCount, label, UInt64(label.count), bytes, Self.byteCount)
        }
        guard status == 0 else { throw .failed(operation: "keyed digest") }
        withUnsafeBytes(of: &next) { next in
            UnsafeMutableRawBufferPointer(start: bytes, count: Self.byteCount).copyMemory(from: next)
        }
    }

    /// The key as it is now, to be kept.
    var current: SymmetricKey { SymmetricKey(data: UnsafeRawBufferPointer(start: bytes, count: Self.byteCount)) }

    private func digest(_ message: [UInt8], into digest: inout [UInt8]) throws(SodiumError) {
        let status = crypto_generichash(
            &digest, Self.byteCount, message, UInt64(message.count), bytes, Self.byteCount)
        guard status == 0 else { throw .failed(operation: "keyed digest") }
    }
}
