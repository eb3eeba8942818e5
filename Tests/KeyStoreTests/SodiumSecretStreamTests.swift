import Testing

@testable import KeyStore

/// A file in chunks: what is changed, left out, exchanged or cut off is refused, and the last chunk is known.
@Suite struct SodiumSecretStreamTests {
    private static let texts: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 1_000)]
    private static let data: [UInt8] = [9]

    private let key: GuardedBytes
    private let header: [UInt8]
    private let chunks: [[UInt8]]

    init() throws {
        key = try GuardedBytes(randomCount: 32)
        let (stream, header) = try SecretStream.sealing(key)
        self.header = header
        chunks = try Self.texts.enumerated().map { index, text in
            try text.withUnsafeBytes { try stream.seal($0, associatedData: Self.data, isLast: index == 2) }
        }
    }

    /// Opens the next chunk into as much room.
    private func open(
        _ stream: SecretStream, _ chunk: [UInt8], room: Int = 1_000, data: [UInt8] = data
    ) throws -> (text: [UInt8], isLast: Bool) {
        var output = [UInt8](repeating: 0, count: room)
        let (count, isLast) = try output.withUnsafeMutableBytes { try stream.open(chunk[...], into: $0, associatedData: data) }
        return (Array(output.prefix(count)), isLast)
    }

    private func opening() throws -> SecretStream { try .opening(key, header: header) }

    @Test func thereAndBack() throws {
        #expect(header.count == SecretStream.headerByteCount)
        let stream = try opening()
        for (index, chunk) in chunks.enumerated() {
            #expect(chunk.count == Self.texts[index].count + SecretStream.overheadByteCount)
            let (text, isLast) = try open(stream, chunk)
            #expect(text == Self.texts[index] && isLast == (index == 2))
        }
    }

    @Test func everyByteCounts() throws {
        for index in chunks[0].indices {
            var changed = chunks[0]
            changed[index] ^= 1
            #expect(throws: SodiumError.notAuthentic) { try open(try opening(), changed) }
        }
        #expect(throws: SodiumError.notAuthentic) { try open(try opening(), chunks[0], data: [8]) }
        #expect(throws: SodiumError.notAuthentic) { try open(try opening(), Array(chunks[0].dropLast())) }
    }

    @Test func theOrderCounts() throws {
        #expect(throws: SodiumError.notAuthentic) { try open(try opening(), chunks[1]) }
        let stream = try opening()
        _ = try open(stream, chunks[0])
        #expect(throws: SodiumError.notAuthentic) { try open(stream, chunks[2]) }
        #expect(throws: SodiumError.notAuthentic) { try open(stream, chunks[0]) }
    }

    @Test func theKeyAndTheHeaderCount() throws {
        var other = header
        other[0] ^= 1
        #expect(throws: SodiumError.notAuthentic) { try open(try .opening(key, header: other), chunks[0]) }
        let stranger = try GuardedBytes(randomCount: 32)
        #expect(throws: SodiumError.notAuthentic) { try open(try .opening(stranger, header: header), chunks[0]) }
        #expect(try SecretStream.sealing(key).header != header)
    }

    @Test func lengths() throws {
        for count in [0, 16] {
            #expect(throws: SodiumError.wrongLength(of: "chunk", byteCount: count)) {
                try open(try opening(), [UInt8](repeating: 0, count: count))
            }
        }
        // No more than there is room for, and as much as there is.
        #expect(throws: SodiumError.wrongLength(of: "chunk", byteCount: 20)) { try open(try opening(), chunks[0], room: 2) }
        #expect(try open(try opening(), chunks[0], room: 3).text == Self.texts[0])
        for count in [0, 23, 25] {
            #expect(throws: SodiumError.wrongLength(of: "stream header", byteCount: count)) {
                try SecretStream.opening(key, header: [UInt8](repeating: 0, count: count))
            }
        }
        for count in [16, 31, 33] {
            let short = try GuardedBytes(randomCount: count)
            #expect(throws: SodiumError.wrongLength(of: "stream key", byteCount: count)) { try SecretStream.sealing(short) }
            #expect(throws: SodiumError.wrongLength(of: "stream key", byteCount: count)) {
                try SecretStream.opening(short, header: header)
            }
        }
    }
}
