import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat

/// The base64url of secrets: one and the same byte or letter over and over beside random ones.
enum SecretTexts {
    private static let byteCount = 32

    static func pairs() throws -> [TimedPair] {
        let same = [UInt8](repeating: 0, count: byteCount)
        let bytes = try RandomInputs.pairs { (first: same, second: try RandomInputs.bytes(byteCount)) }
        let letters = bytes.map { (first: Array(Base64URL.encode($0.first).utf8), second: Array(Base64URL.encode($0.second).utf8)) }
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: Base64URL.encodedCount(byteCount))
        return [
            TimedPair("base64url of a secret", "zeros, random", callsForASample: 16, bytes) { bytes in
                bytes.withUnsafeBytes { SecretBase64URL.encode($0, into: output) }
            },
            TimedPair("a secret from base64url", "zeros, random", callsForASample: 16, letters) { letters in
                guard letters.withUnsafeBytes({ SecretBase64URL.decode($0, into: output) }) else { fatal("base64url") }
            },
        ]
    }
}
