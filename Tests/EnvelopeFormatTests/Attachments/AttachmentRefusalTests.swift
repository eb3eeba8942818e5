import CryptoPrimitives
import Foundation
import Testing

@testable import EnvelopeFormat

/// What is refused, for each segment, and what was released of it before.
@Suite struct AttachmentRefusalTests {
    private let file: SealedFile
    private let blocks: [[UInt8]]

    init() throws {
        file = try #require(SealedFile.ofFourSegments)
        blocks = file.blocks
        try #require(blocks.count == 4)
    }

    private func refused(
        _ sealed: [UInt8], _ error: AttachmentError, released segments: Int, with key: SymmetricKey? = nil,
        _ comment: Comment? = nil
    ) throws {
        let opened = try SealedFile.open(sealed, with: key ?? file.key)
        #expect(opened.error == error, comment)
        // Without the bytes, of which there are many.
        let isBeginning = opened.released == file.beginning(segments: segments)
        #expect(isBeginning, comment)
    }

    @Test func anotherKey() throws {
        try refused(file.sealed, .notAuthentic, released: 0, with: SymmetricKey(size: .bits256))
    }

    @Test func aLengthByteOtherThan40() throws {
        for byte in UInt8.min...UInt8.max where byte != 40 {
            try refused([byte] + file.sealed.dropFirst(), .malformed, released: 0, "\(byte)")
        }
    }

    @Test(arguments: 0..<4) func aBitOfASegment(_ number: Int) throws {
        let start = number * 65_536 + (number == 0 ? 40 : 0)
        let end = number * 65_536 + blocks[number].count
        for position in [start, start + 1, (start + end) / 2, end - 17, end - 16, end - 1] {
            var changed = file.sealed
            changed[position] ^= 1 << UInt8(position % 8)
            try refused(changed, .notAuthentic, released: number, "byte \(position)")
        }
    }

    @Test func aBitOfTheHeader() throws {
        for position in 1..<40 {
            var changed = file.sealed
            changed[position] ^= 0x80
            try refused(changed, .notAuthentic, released: 0, "byte \(position)")
        }
    }

    @Test(arguments: 0..<4) func aSegmentLeftOutOrThereTwice(_ number: Int) throws {
        var fewer = blocks
        fewer.remove(at: number)
        // Without the last, the one before it is the last and does not say so. The first begins with the length byte.
        if number == 0 {
            let error: AttachmentError = blocks[1][0] == 40 ? .notAuthentic : .malformed
            try refused(Array(fewer.joined()), error, released: 0)
            try refused(blocks[0].prefix(40) + Array(fewer.joined()), .notAuthentic, released: 0)
        } else {
            try refused(Array(fewer.joined()), .notAuthentic, released: min(number, 2))
        }
        var more = blocks
        more.insert(blocks[number], at: number)
        try refused(Array(more.joined()), .notAuthentic, released: min(number + 1, 3))
    }

    @Test(arguments: 0..<4, 0..<4) func twoSegmentsSwapped(_ one: Int, _ other: Int) throws {
        guard one < other else { return }
        // The header stays in front.
        var changed = [Array(blocks[0].dropFirst(40))] + blocks.dropFirst()
        changed.swapAt(one, other)
        try refused(file.sealed.prefix(40) + Array(changed.joined()), .notAuthentic, released: one)
    }

    /// One that says it is the last and is not, or is and does not say so.
    @Test(arguments: 0..<4) func theOtherLastByte(_ number: Int) throws {
        let start = number == 0 ? 0 : file.beginning(segments: number).count
        let end = min(file.beginning(segments: number + 1).count, file.plain.count)
        func segment(isLast: Bool) throws -> [UInt8] {
            let nonce = try AES.GCM.Nonce(data: file.header.nonce(UInt64(number), isLast: isLast))
            let box = try AES.GCM.seal(Array(file.plain[start..<end]), using: file.header.segmentKey(file.key), nonce: nonce)
            return (number == 0 ? file.header.bytes : []) + box.ciphertext + box.tag
        }
        let isSame = try segment(isLast: number == 3) == blocks[number]
        #expect(isSame)
        var changed = blocks
        changed[number] = try segment(isLast: number != 3)
        try refused(Array(changed.joined()), .notAuthentic, released: number)
    }

    @Test(arguments: 0..<4) func aSegmentOfAnotherFile(_ number: Int) throws {
        let prefix = try AttachmentHeader(salt: file.header.salt, prefix: file.header.prefix.reversed())
        let salt = try AttachmentHeader(salt: file.header.salt.reversed(), prefix: file.header.prefix)
        for header in [prefix, salt] {
            let other = try SealedFile(key: file.key, header: header, plain: file.plain)
            var changed = blocks
            changed[number] = other.blocks[number]
            if number == 0 { changed[0].replaceSubrange(..<40, with: file.header.bytes) }
            try refused(Array(changed.joined()), .notAuthentic, released: number)
        }
    }

    /// Wherever it is cut, it is not taken for a whole file.
    @Test func cut() throws {
        let ends = [0, 40, 56, 65_536, 131_072, 196_608, file.sealed.count - 16, file.sealed.count]
        let positions = Set(ends.flatMap { $0 - 20...$0 + 20 }).filter { (0..<file.sealed.count).contains($0) }
        #expect(positions.count > 230)
        for position in positions {
            // Behind a full segment, no segment has 16 bytes or fewer.
            let isMalformed = position < 56 || (1...16).contains(position % 65_536)
            let whole = max(0, position - 1) / 65_536
            try refused(
                Array(file.sealed[..<position]), isMalformed ? .malformed : .notAuthentic, released: whole, "at \(position)")
        }
    }

    @Test(arguments: [0, 1, 5, 65_479, 65_480, 131_000]) func somethingBehindTheEnd(_ byteCount: Int) throws {
        let file = try SealedFile(byteCount: byteCount)
        let whole = (file.sealed.count - 1) / 65_536
        for added in [1, 15, 16, 17, 65_536] {
            let opened = try SealedFile.open(file.sealed + [UInt8](repeating: 0, count: added), with: file.key)
            let isBeginning = opened.released == file.beginning(segments: whole)
            #expect(opened.error == .notAuthentic && isBeginning, "\(added)")
        }
        let twice = try SealedFile.open(file.sealed + file.sealed, with: file.key)
        let isBeginning = twice.released == file.beginning(segments: whole)
        #expect(twice.error == .notAuthentic && isBeginning)
    }

    /// An empty segment behind a full one is authentic, and yet no sealer writes it.
    @Test func anEmptyLastSegment() throws {
        let segmentKey = file.header.segmentKey(file.key)
        func sealed(_ segments: [ArraySlice<UInt8>]) throws -> [UInt8] {
            var whole = file.header.bytes
            for (index, segment) in segments.enumerated() {
                let nonce = try file.header.nonce(UInt64(index), isLast: index == segments.count - 1)
                let box = try AES.GCM.seal(segment, using: segmentKey, nonce: AES.GCM.Nonce(data: nonce))
                whole += box.ciphertext + box.tag
            }
            return whole
        }
        try refused(try sealed([file.plain[..<65_480], []]), .malformed, released: 1)
        #expect(try SealedFile.open(try sealed([[]]), with: file.key).error == nil)
        #expect(try SealedFile.open(try sealed([file.plain[..<65_480], [7]]), with: file.key).error == nil)
    }
}
