import CryptoPrimitives
import TestSupport
import Testing

@testable import EnvelopeFormat

/// Sealing and opening of attachments where nothing is wrong.
@Suite struct AttachmentTests {
    private struct Full: Error, Equatable {}

    @Test(arguments: [0, 1, 65_479, 65_480, 65_481, 130_999, 131_000, 131_001, 196_521])
    func sealedAndOpened(_ byteCount: Int) throws {
        let file = try SealedFile(byteCount: byteCount)
        #expect(file.sealed.count == AttachmentLayout.sealedByteCount(byteCount))
        #expect(Array(file.sealed.prefix(40)) == [40] + file.header.salt + file.header.prefix)
        let opened = try SealedFile.open(file.sealed, with: file.key)
        let isSame = opened.released == file.plain
        #expect(opened.error == nil && isSame)
    }

    /// How the bytes come in pieces changes nothing.
    @Test func anyChunksGiveTheSame() throws {
        var random = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(30, slow: 600) {
            let near = [0, 65_480, 131_000, 196_520].randomElement(using: &random) ?? 0
            let file = try SealedFile(byteCount: max(0, near + Int.random(in: -3...3, using: &random)))
            let sealer = try AttachmentSealer(key: file.key, salt: file.header.salt, prefix: file.header.prefix)
            let largest = [1 << 9, 1 << 16, 1 << 18].randomElement(using: &random) ?? 1
            let sealed = try SealedFile.seal(file.plain, by: sealer) { Int.random(in: 1...largest, using: &random) }
            let isSealedTheSame = sealed == file.sealed
            #expect(isSealedTheSame)
            let opened = try SealedFile.open(sealed, with: file.key) { Int.random(in: 1...largest, using: &random) }
            let isOpenedTheSame = opened.released == file.plain
            #expect(opened.error == nil && isOpenedTheSame)
        }
    }

    @Test func byteForByte() throws {
        let file = try SealedFile(byteCount: 65_500)
        let sealer = try AttachmentSealer(key: file.key, salt: file.header.salt, prefix: file.header.prefix)
        let isSealedTheSame = try SealedFile.seal(file.plain, by: sealer) { 1 } == file.sealed
        let isOpenedTheSame = try SealedFile.open(file.sealed, with: file.key) { 1 }.released == file.plain
        #expect(isSealedTheSame && isOpenedTheSame)
    }

    /// Until another byte comes it could be the last segment.
    @Test func aSegmentIsReleasedWhenItIsNotTheLast() throws {
        let file = try SealedFile(byteCount: 131_000)
        let opener = try AttachmentOpener(key: file.key)
        var counts: [Int] = []
        try file.sealed.withUnsafeBytes { sealed in
            try opener.update(UnsafeRawBufferPointer(rebasing: sealed[..<65_536])) { counts.append($0.count) }
            #expect(counts.isEmpty)
            try opener.update(UnsafeRawBufferPointer(rebasing: sealed[65_536..<65_537])) { counts.append($0.count) }
            #expect(counts == [65_480])
            try opener.update(UnsafeRawBufferPointer(rebasing: sealed[65_537...])) { counts.append($0.count) }
            #expect(counts == [65_480])
        }
        try opener.finish { counts.append($0.count) }
        #expect(counts == [65_480, 65_520])
    }

    @Test func everyFileHasASaltOfItsOwn() throws {
        let key = SymmetricKey(size: .bits256)
        let headers = try (0..<20).map { _ in
            try SealedFile.seal([1, 2, 3], by: try AttachmentSealer(key: key)).prefix(40)
        }
        #expect(Set(headers.map { $0[1..<33] }).count == 20)
        #expect(Set(headers.map { $0[33...] }).count == 20)
    }

    /// Neither goes on after its end, nor after whoever takes the bytes has failed.
    @Test func theEndIsTheEnd() throws {
        let file = try SealedFile(byteCount: 70_000)
        func uses(_ opener: AttachmentOpener, _ sealer: AttachmentSealer) {
            for byteCount in [0, 1] {
                let bytes = [UInt8](repeating: 0, count: byteCount)
                #expect(throws: AttachmentError.ended) { try bytes.withUnsafeBytes { try opener.update($0) { _ in } } }
                #expect(throws: AttachmentError.ended) { try bytes.withUnsafeBytes { try sealer.update($0) { _ in } } }
            }
            #expect(throws: AttachmentError.ended) { try opener.finish { _ in } }
            #expect(throws: AttachmentError.ended) { try sealer.finish { _ in } }
        }
        let (opener, sealer) = (try AttachmentOpener(key: file.key), try AttachmentSealer(key: file.key))
        try file.sealed.withUnsafeBytes { try opener.update($0) { _ in } }
        try opener.finish { _ in }
        try sealer.finish { _ in }
        uses(opener, sealer)
        let (failing, full) = (try AttachmentOpener(key: file.key), try AttachmentSealer(key: file.key))
        #expect(throws: Full()) { try file.sealed.withUnsafeBytes { try failing.update($0) { _ in throw Full() } } }
        #expect(throws: Full()) { try file.plain.withUnsafeBytes { try full.update($0) { _ in throw Full() } } }
        uses(failing, full)
    }

    @Test func theIndexHasFourBytes() throws {
        let header = try AttachmentHeader(salt: [UInt8](0..<32), prefix: [UInt8](1...7))
        #expect(try header.nonce(0, isLast: false) == [1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0])
        #expect(try header.nonce(0x0102_0304, isLast: true) == [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 1])
        #expect(try header.nonce(0xFFFF_FFFF, isLast: true) == [1, 2, 3, 4, 5, 6, 7, 255, 255, 255, 255, 1])
        #expect(throws: AttachmentError.tooLong) { try header.nonce(0x1_0000_0000, isLast: true) }
    }

    @Test func lengthsAreLookedAt() throws {
        for byteCount in [0, 16, 31, 33] {
            let key = SymmetricKey(data: [UInt8](repeating: 1, count: byteCount))
            let error = FormatError(field: "key", reason: "not of 32 bytes")
            #expect(throws: error) { try AttachmentOpener(key: key) }
            #expect(throws: error) { try AttachmentSealer(key: key) }
        }
        let key = SymmetricKey(size: .bits256)
        #expect(throws: FormatError(field: "salt", reason: "not of 32 bytes")) {
            try AttachmentSealer(key: key, salt: [1], prefix: [UInt8](1...7))
        }
        #expect(throws: FormatError(field: "nonce prefix", reason: "not of 7 bytes")) {
            try AttachmentSealer(key: key, salt: [UInt8](0..<32), prefix: [UInt8](1...8))
        }
    }
}
