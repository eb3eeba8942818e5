import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat

/// The base64url of secrets: one and the same byte or letter over and over beside random ones.
enum SecretTexts {
    private static let byteCount = 32

    static func pairs() -> [TimedPair] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        let letters = UnsafeMutableRawBufferPointer.allocate(byteCount: Base64URL.encodedCount(byteCount), alignment: 64)
        let text = letters.assumingMemoryBound(to: UInt8.self)
        let masks: [(first: UInt8, second: UInt8)] = RandomInputs.pairs { (first: 0, second: 0xFF) }
        // New in the same memory for both classes.
        func fill(_ mask: UInt8) throws {
            try RandomPool.fill(bytes)
            for index in bytes.indices { bytes[index] &= mask }
            if let start = text.baseAddress { SecretBase64URL.encode(UnsafeRawBufferPointer(bytes), into: start) }
        }
        return [
            TimedPair("base64url of a secret", "zeros, random", callsForASample: 16, masks, prepare: fill) { _ in
                if let start = text.baseAddress { SecretBase64URL.encode(UnsafeRawBufferPointer(bytes), into: start) }
            },
            TimedPair("a secret from base64url", "zeros, random", callsForASample: 16, masks, prepare: fill) { _ in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    SecretBase64URL.decode(UnsafeRawBufferPointer(letters), into: start)
                else { fatal("base64url") }
            },
        ]
    }
}
