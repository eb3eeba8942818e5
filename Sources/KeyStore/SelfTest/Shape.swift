import CryptoPrimitives

extension SelfTest {
    /// One step of a ladder: so many bytes of text and so many beside it (associated data, a key or a salt), with content and
    /// nonce that no other step has. `Tests/Interop/known_answers.py` has the same ladder.
    struct Shape {
        let number: Int
        let byteCount: Int
        let besideByteCount: Int

        /// Of nothing, of less than a block, of blocks and what is beside them, up to what an attachment or a backup has in one piece.
        static let ladder = [
            (0, 0), (0, 12), (0, 64), (0, 65), (0, 300), (0, 1_200), (1, 16), (15, 300), (16, 17), (17, 65), (31, 1), (32, 300),
            (63, 15), (64, 1_200), (65, 12), (127, 128), (128, 65), (129, 300), (255, 0), (256, 129), (257, 12), (1_000, 64), (1_039, 65),
            (4_096, 1_200), (16_385, 127), (65_536, 0),
        ].enumerated().map { Shape(number: $0.offset, byteCount: $0.element.0, besideByteCount: $0.element.1) }

        var isLast: Bool { number == Self.ladder.count - 1 }

        var text: [UInt8] { Self.bytes(byteCount, from: number) }

        var beside: [UInt8] { Self.bytes(besideByteCount, from: number + 100) }

        func nonce(_ byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(0x40 + number + $0) } }

        /// What is in one piece in an attachment, in a backup or in no more than a row; the ladder costs as much as its longest steps.
        static let (block, row) = (65_536, 16_385)

        /// SHA-256 of what the body makes of each step, one behind the other; nil where it makes nothing of one.
        /// - Parameter limit: the longest text, in bytes.
        static func digest(upTo limit: Int, _ body: (Shape) throws -> [UInt8]?) rethrows -> [UInt8]? {
            var digest = SHA256()
            for shape in ladder where shape.byteCount <= limit {
                guard let made = try body(shape) else { return nil }
                digest.update(data: made)
            }
            return Array(digest.finalize())
        }

        private static let period = (0..<251).map { UInt8($0 * 5 % 251) }

        private static func bytes(_ count: Int, from start: Int) -> [UInt8] {
            var bytes = Array(period[(start % period.count)...])
            bytes.reserveCapacity(count + period.count)
            while bytes.count < count { bytes += period }
            return Array(bytes.prefix(count))
        }
    }
}
