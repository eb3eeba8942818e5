import KeyStore
import Testing

@Suite struct SodiumKeyWrapTests {
    private let key: GuardedBytes
    private let associatedData = Array("store 1, row 7".utf8)

    init() throws { key = try GuardedBytes(randomCount: KeyWrap.keyByteCount) }

    @Test(arguments: [0, 1, 31, 32, 33, 1000]) func unwrapsWhatWasWrapped(byteCount: Int) throws {
        let secret = try GuardedBytes(randomCount: byteCount)
        let wrapped = try KeyWrap.wrap(secret, key: key, associatedData: associatedData)
        #expect(wrapped.count == byteCount + KeyWrap.overheadByteCount)
        let unwrapped = try KeyWrap.unwrap(wrapped, key: key, associatedData: associatedData)
        #expect(unwrapped.isSame(as: secret))
        let again = try KeyWrap.wrap(secret, key: key, associatedData: associatedData)
        #expect(again.prefix(24) != wrapped.prefix(24), "the nonce is random")
    }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    @Test func unwrapsThePublishedVector() throws {
        var key = Hexadecimal.bytes("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
        let nonce = Hexadecimal.bytes("404142434445464748494a4b4c4d4e4f5051525354555657")
        let sealed = Hexadecimal.bytes(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
                + "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                + "21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49")
        let unwrapped = try KeyWrap.unwrap(
            nonce + sealed, key: GuardedBytes(consuming: &key),
            associatedData: Hexadecimal.bytes("50515253c0c1c2c3c4c5c6c7"))
        let text =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen"
            + " would be it."
        #expect(unwrapped.withBytes { Array($0) } == Array(text.utf8))
    }

    @Test func refusesEveryChangedBit() throws {
        let wrapped = try KeyWrap.wrap(GuardedBytes(randomCount: 32), key: key, associatedData: associatedData)
        for bit in 0..<wrapped.count * 8 {
            var changed = wrapped
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SodiumError.notAuthentic) {
                try KeyWrap.unwrap(changed, key: key, associatedData: associatedData)
            }
        }
    }

    @Test func refusesAnotherKeyOrOtherAssociatedData() throws {
        let wrapped = try KeyWrap.wrap(GuardedBytes(randomCount: 32), key: key, associatedData: associatedData)
        let other = try GuardedBytes(randomCount: 32)
        #expect(throws: SodiumError.notAuthentic) {
            try KeyWrap.unwrap(wrapped, key: other, associatedData: associatedData)
        }
        for changed in [[], associatedData + [0], Array(associatedData.dropLast())] {
            #expect(throws: SodiumError.notAuthentic) {
                try KeyWrap.unwrap(wrapped, key: key, associatedData: changed)
            }
        }
    }

    @Test func refusesLengthsThatCannotBe() throws {
        let short = try GuardedBytes(randomCount: 31)
        #expect(throws: SodiumError.wrongLength(of: "wrapping key", byteCount: 31)) {
            try KeyWrap.wrap(short, key: short, associatedData: [])
        }
        #expect(throws: SodiumError.wrongLength(of: "wrapped bytes", byteCount: 39)) {
            try KeyWrap.unwrap([UInt8](repeating: 0, count: 39), key: key, associatedData: [])
        }
        let wrapped = try KeyWrap.wrap(short, key: key, associatedData: [])
        #expect(throws: SodiumError.wrongLength(of: "wrapping key", byteCount: 31)) {
            try KeyWrap.unwrap(wrapped, key: short, associatedData: [])
        }
    }

    @Test func leavesNothingInTheOutputWhenItFails() throws {
        var wrapped = try KeyWrap.wrap(GuardedBytes(randomCount: 32), key: key, associatedData: associatedData)
        var output = [UInt8](repeating: 0xaa, count: 32)
        #expect(throws: SodiumError.wrongLength(of: "wrapped bytes", byteCount: 72)) {
            try output.withUnsafeMutableBytes { buffer in
                try KeyWrap.unwrap(
                    wrapped, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(31)), key: key,
                    associatedData: associatedData)
            }
        }
        #expect(output == [UInt8](repeating: 0, count: 31) + [0xaa])
        wrapped[wrapped.count - 1] ^= 1
        output = [UInt8](repeating: 0xaa, count: 32)
        #expect(throws: SodiumError.notAuthentic) {
            try output.withUnsafeMutableBytes { buffer in
                try KeyWrap.unwrap(wrapped, into: buffer, key: key, associatedData: associatedData)
            }
        }
        #expect(output == [UInt8](repeating: 0, count: 32))
    }
}
