import COpenSSL
import FoundationEssentials

/// Secret bytes at an address of their own, never moved, wiped when the last owner lets go.
///
/// Written only by the initialisers, hence `Sendable`. It is not printable: a mirror shows an address and a count.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let ownsMemory: Bool

    var count: Int { memory.count }

    /// `byteCount` zeroed bytes which `body` fills; wiped at once where it throws.
    init(byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        memory = .allocate(byteCount: byteCount, alignment: 16)
        ownsMemory = true
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try body(memory)
    }

    /// A copy of the bytes.
    init(copying bytes: UnsafeRawBufferPointer) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        ownsMemory = true
        memory.copyMemory(from: bytes)
    }

    /// Another's memory, wiped at deinit and left allocated: how a test sees that it is wiped.
    init(unowned memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
        ownsMemory = false
    }

    deinit {
        wipe(memory)
        if ownsMemory { memory.deallocate() }
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(self) { () throws(Failure) -> Result in try body(UnsafeRawBufferPointer(memory)) }
    }

    /// Whether both hold the same bytes, in constant time.
    func isEqual(to other: SecretBytes) -> Bool {
        withUnsafeBytes { mine in other.withUnsafeBytes { constantTimeEqual(mine, $0) } }
    }
}
