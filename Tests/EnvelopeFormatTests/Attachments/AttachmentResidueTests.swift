import CryptoPrimitives
import TestSupport
import Testing

@testable import EnvelopeFormat

/// When a file is sealed or opened, or was refused, nothing of it is left in memory.
@Suite(.serialized) struct AttachmentResidueTests {
    private static let byteCount = 140_000

    /// Hands over a plaintext that is made of the marker alone, and exists only meanwhile.
    private func withPlaintext(_ masked: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try withWipedBytes(Self.byteCount) { bytes in
            for index in bytes.indices { bytes[index] = masked[index % masked.count] ^ ProcessMemory.mask }
            try body(UnsafeRawBufferPointer(bytes))
        }
    }

    @inline(never)
    private func seal(_ masked: [UInt8], with key: SymmetricKey) throws -> [UInt8] {
        let sealer = try AttachmentSealer(key: key)
        var sealed: [UInt8] = []
        try withPlaintext(masked) { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        return sealed
    }

    /// Many at once: whoever is given the memory next writes over some of it, not over all.
    @inline(never)
    private func sealWithoutEnd(_ masked: [UInt8], _ look: () throws -> Void) throws {
        let sealers = try (0..<16).map { _ in try AttachmentSealer(key: SymmetricKey(size: .bits256)) }
        try withPlaintext(masked) { bytes in
            for sealer in sealers { try sealer.update(bytes) { _ in } }
        }
        try look()
        withExtendedLifetime(sealers) {}
    }

    @inline(never)
    private func open(_ sealed: [UInt8], with key: SymmetricKey, _ look: () throws -> Void) throws -> Int {
        let opener = try AttachmentOpener(key: key)
        var count = 0
        try sealed.withUnsafeBytes { bytes in
            try opener.update(bytes) {
                count += $0.count
                try look()
            }
        }
        try opener.finish { count += $0.count }
        return count
    }

    @Test func nothingIsLeft() throws {
        let masked = try SystemRandomBytes.bytes(32)
        let key = SymmetricKey(size: .bits256)
        let sealed = try seal(masked, with: key)
        #expect(try ProcessMemory.count(ofMasked: masked) == 0)
        var found = 0
        #expect(try open(sealed, with: key) { found = try ProcessMemory.count(ofMasked: masked) } == Self.byteCount)
        #expect(found > 0, "it is there while it is released")
        #expect(try ProcessMemory.count(ofMasked: masked) == 0)
        let segmentKey = try #require(sealed.withUnsafeBytes { AttachmentHeader(UnsafeRawBufferPointer(rebasing: $0[..<40])) })
            .segmentKey(key).withUnsafeBytes { bytes in bytes.map { $0 ^ ProcessMemory.mask } }
        #expect(try ProcessMemory.count(ofMasked: segmentKey.suffix(16)) == 0)
    }

    @Test func nothingIsLeftOfWhatWasNotEnded() throws {
        let masked = try SystemRandomBytes.bytes(32)
        var found = 0
        try sealWithoutEnd(masked) { found = try ProcessMemory.count(ofMasked: masked) }
        #expect(found > 16, "it is there while more may come")
        #expect(try ProcessMemory.count(ofMasked: masked) == 0)
    }

    @Test func nothingIsLeftOfWhatWasRefused() throws {
        let masked = try SystemRandomBytes.bytes(32)
        let key = SymmetricKey(size: .bits256)
        for position in [50, 65_600, 131_500] {
            var sealed = try seal(masked, with: key)
            sealed[position] ^= 1
            #expect(throws: AttachmentError.notAuthentic) { try open(sealed, with: key) {} }
            #expect(try ProcessMemory.count(ofMasked: masked) == 0, "\(position)")
        }
    }
}
