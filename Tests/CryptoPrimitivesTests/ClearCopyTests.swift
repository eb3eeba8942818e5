import Testing

@testable import CryptoPrimitives

/// What of a long text is there yet as it was, after it was sealed in place.
@Suite struct ClearCopyTests {
    private let text = (0..<5_000).map { UInt8($0 % 251) }

    private func isSeen(_ sealed: [UInt8]) -> Bool? {
        text.withUnsafeBytes { text in
            guard let copy = ClearCopy(of: text) else { return nil }
            return sealed.withUnsafeBytes { copy.isSeen(in: $0) }
        }
    }

    @Test func messagesHaveNone() {
        for (count, isThere) in [(0, false), (4_096, false), (4_097, true)] {
            let isKept = text.prefix(count).withUnsafeBytes { text in
                if ClearCopy(of: text) == nil { false } else { true }
            }
            #expect(isKept == isThere, "\(count)")
        }
    }

    @Test func anyBlockIsFound() {
        let sealed = text.map { $0 ^ 0x80 }
        #expect(isSeen(sealed) == false && isSeen(text) == true && isSeen(Array(text.dropLast())) == true)
        for start in stride(from: 0, through: text.count - 16, by: 16) {
            var partly = sealed
            partly[start..<(start + 16)] = text[start..<(start + 16)]
            #expect(isSeen(partly) == true, "\(start)")
            partly[start + 15] ^= 1
            #expect(isSeen(partly) == false, "\(start)")
        }
    }
}
