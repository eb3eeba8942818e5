import CryptoPrimitives
import Glibc
import Testing

@testable import KeyStore

/// Item keys and values are in plain memory for the length of a call; what is there afterwards is read from the kernel.
@Suite struct WipedBytesTests {
    /// Of 32 bytes on the stack, and of more than the stack is given, which is on the heap.
    @Test(arguments: [32, 1_000, 50_000]) func theMemoryIsWipedWhenTheBodyReturnsOrThrows(count: Int) throws {
        for throwing in [false, true] {
            let pattern = try SystemRandomBytes.bytes(count)
            var address: UInt = 0
            do {
                try WipedBytes.with(count) { (memory) throws(SodiumError) in
                    #expect(memory.count == count && memory.allSatisfy { $0 == 0 })
                    for index in 0..<count { memory[index] = pattern[index] }
                    address = UInt(bitPattern: memory.baseAddress)
                    #expect(Self.same(pattern, at: address) == count)
                    if throwing { throw .notAuthentic }
                }
                #expect(!throwing)
            } catch { #expect(throwing && error == .notAuthentic) }
            // Others write there meanwhile, and some bytes are the same by chance.
            #expect(Self.same(pattern, at: address) < max(8, count / 32))
        }
    }

    @Test func noBytesAreMemoryToo() throws {
        #expect(try WipedBytes.with(0) { (memory) throws(SodiumError) in memory.count } == 0)
    }

    /// A secret of any length comes back, and under another key, name or version it does not.
    @Test func aRowsSecretComesBackFromItsPlaceAlone() throws {
        let scene = try Scene(.sealer)
        try scene.store.read { (rows) throws(KeyStoreError) in
            for count in [0, 1, 32, 5_000] {
                let secret = SymmetricKey(data: try RandomName.bytes(count))
                var row = StoredRow(table: .serviceKey, identifier: "test", version: 1, values: [.integer(1)])
                row.secret = try rows.cipher.wrap(secret, under: .afterFirstUnlock, for: row)
                #expect(try rows.cipher.unwrap(row) == secret)
                var moved = StoredRow(table: .serviceKey, identifier: "other", version: 1, values: [.integer(1)])
                moved.secret = row.secret
                #expect(failure { _ = try rows.cipher.unwrap(moved) }?.kind == .damaged)
                var other = row
                other.secret?.classKey = ClassKeyName.whenUnlocked.rawValue
                #expect(failure { _ = try rows.cipher.unwrap(other) }?.kind == .damaged)
                other = row
                other.secret?.value.removeLast()
                #expect(failure { _ = try rows.cipher.unwrap(other) }?.kind == .damaged)
                other.secret?.value = []
                #expect(failure { _ = try rows.cipher.unwrap(other) }?.kind == .damaged)
            }
        }
    }

    /// How many of the bytes are the same at that address.
    @inline(never)
    private static func same(_ pattern: [UInt8], at address: UInt) -> Int {
        let descriptor = open("/proc/self/mem", O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: pattern.count)
        guard pread(descriptor, &bytes, bytes.count, off_t(address)) == bytes.count else { return -1 }
        return zip(bytes, pattern).count { $0 == $1 }
    }
}
