import EnvelopeFormat
import TestSupport
import Testing

/// What is written and read without tables is what the tables give.
@Suite struct SecretBase64URLTests {
    private func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: Base64URL.encodedCount(bytes.count) + 1) { output in
            guard let start = output.baseAddress else { return 0 }
            bytes.withUnsafeBytes { SecretBase64URL.encode($0, into: start) }
            return Base64URL.encodedCount(bytes.count)
        }
    }

    private func decode(_ letters: [UInt8]) -> [UInt8]? {
        let count = Base64URL.decodedCount(letters.count)
        var isText = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { output, filled in
            guard let start = output.baseAddress else { return }
            isText = letters.withUnsafeBytes { SecretBase64URL.decode($0, into: start) }
            filled = count
        }
        return isText ? bytes : nil
    }

    @Test func everyLength() {
        var source = RepeatableRandom.announced()
        for length in 0...100 {
            for _ in 0..<20 {
                let bytes = source.bytes(length)
                #expect(encode(bytes) == Base64URL.encode(bytes))
                #expect(decode(Array(Base64URL.encode(bytes).utf8)) == bytes)
            }
        }
    }

    @Test func everyValueAtEveryPlace() {
        for value in UInt8.min...UInt8.max {
            for place in 0..<3 {
                var bytes: [UInt8] = [0, 0, 0]
                bytes[place] = value
                #expect(encode(bytes) == Base64URL.encode(bytes))
            }
            for place in 0..<4 {
                var letters = Array("AAAA".utf8)
                letters[place] = value
                #expect(decode(letters) == Base64URL.decode(letters))
            }
        }
    }

    /// With it, the spare bits of a text's end, and lengths that no text has.
    @Test func everyTail() {
        var wrong: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            if decode([first]) != nil { wrong.append([first]) }
            for second in UInt8.min...UInt8.max {
                for letters in [[first, second], [UInt8(ascii: "A"), first, second]] where decode(letters) != Base64URL.decode(letters) {
                    wrong.append(letters)
                }
            }
        }
        #expect(wrong.isEmpty)
    }
}
