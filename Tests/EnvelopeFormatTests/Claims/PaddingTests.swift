import EnvelopeFormat
import Testing

/// How far a plaintext is padded (envelope spec, section 5.5), and what the padding is made of.
@Suite struct PaddingTests {
    /// The page's rule in other words, for one length.
    private func bucket(_ count: Int, _ capacity: Int) -> Int {
        for size in [256, 512, 768, 1024, 1536, 2048] where count <= size { return size <= capacity ? size : capacity }
        return capacity
    }

    @Test func everyLengthAgainstEveryCapacity() {
        var capacities = [0, 1, 100, 2_960, 3_056, 3_729, 10_000]
        for size in Padding.buckets { capacities += [size - 1, size, size + 1] }
        for capacity in capacities {
            let wrong = (0...min(2_100, capacity)).filter { count in
                Padding.none.paddedCount(count, capacity: capacity) != count
                    || Padding.full.paddedCount(count, capacity: capacity) != capacity
                    || Padding.bucket.paddedCount(count, capacity: capacity) != bucket(count, capacity)
            }
            #expect(wrong.isEmpty, "of a capacity of \(capacity)")
        }
    }

    @Test func aSmallerBucketIsNotTakenWhereTheRightOneDoesNotFit() {
        #expect(Padding.bucket.paddedCount(257, capacity: 511) == 511)
        #expect(Padding.bucket.paddedCount(257, capacity: 512) == 512)
        #expect(Padding.bucket.paddedCount(2_048, capacity: 3_000) == 2_048)
        #expect(Padding.bucket.paddedCount(2_049, capacity: 3_000) == 3_000)
        #expect(Padding.bucket.paddedCount(0, capacity: 3_000) == 256)
    }

    @Test(arguments: Padding.allCases) func paddingIsSpaces(_ padding: Padding) throws {
        let claims = try Sample.claims(body: "b")
        var bare = ByteWriter(capacity: 64)
        bare.append(claims)
        var padded = ByteWriter(capacity: 64)
        let isCut = try padded.append(plaintext: claims.stamp, claims.content, capacity: 700, padding: padding, overflow: .error)
        #expect(!isCut)
        #expect(padded.count == padding.paddedCount(bare.count, capacity: 700))
        #expect(Array(padded.bytes.prefix(bare.count)) == bare.bytes)
        #expect(padded.bytes.dropFirst(bare.count).allSatisfy { $0 == 0x20 })
    }
}
