import EnvelopeFormat
import Testing

/// Where plaintexts are put together: the memory is wiped.
@Suite struct ByteWriterTests {
    @Test func wipedFromAPositionOn() {
        var writer = ByteWriter(capacity: 256)
        writer.append(repeating: 0xAA, count: 200)
        let start = writer.start
        writer.wipe(from: 150)
        #expect(writer.count == 150)
        #expect(writer.start == start)
        #expect(UnsafeBufferPointer(start: start, count: 150).allSatisfy { $0 == 0xAA })
        #expect(UnsafeBufferPointer(start: start + 150, count: 50).allSatisfy { $0 == 0 })
        writer.wipe()
        #expect(writer.count == 0)
        #expect(UnsafeBufferPointer(start: start, count: 200).allSatisfy { $0 == 0 })
        #expect(writer.bytes == [])
    }

    @Test func growingKeepsTheBytes() {
        var writer = ByteWriter(capacity: 1)
        var expected: [UInt8] = []
        for index in 0..<5_000 {
            writer.append(UInt8(index & 0xFF))
            expected.append(UInt8(index & 0xFF))
        }
        #expect(writer.bytes == expected)
        writer.append([1, 2, 3])
        writer.append("abc")
        writer.append(text: "é")
        writer.append(repeating: 7, count: 0)
        writer.append(repeating: 8, count: 2)
        expected += [1, 2, 3] + Array("abcé".utf8) + [8, 8]
        #expect(writer.bytes == expected)
        #expect(writer.count == expected.count)
    }

    @Test func takenMemoryCounts() {
        var writer = ByteWriter(capacity: 64)
        writer.append(repeating: 1, count: 60)
        writer.extend(100).update(repeating: 2, count: 100)
        #expect(writer.bytes == [UInt8](repeating: 1, count: 60) + [UInt8](repeating: 2, count: 100))
    }
}
