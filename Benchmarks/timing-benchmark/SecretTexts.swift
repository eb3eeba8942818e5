import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat

/// The base64url of secrets: one and the same byte or letter over and over beside random ones.
enum SecretTexts {
    private static let byteCount = 32

    static func pairs() throws -> [TimedPair] {
        // Each in memory of its own.
        let bytes = try RandomInputs.pairs {
            (first: try RandomInputs.bytes(byteCount).map { _ in 0 }, second: try RandomInputs.bytes(byteCount).map { $0 })
        }
        let letters = bytes.map { (first: Array(Base64URL.encode($0.first).utf8), second: Array(Base64URL.encode($0.second).utf8)) }
        return [
            pair("base64url of a secret", bytes) { SecretBase64URL.encode($0, into: $1) },
            pair("a secret from base64url", letters) { input, output in
                guard SecretBase64URL.decode(input, into: output) else { fatal("base64url") }
            },
        ]
    }

    private static func pair(
        _ name: String, _ inputs: [(first: [UInt8], second: [UInt8])],
        _ body: @escaping (UnsafeRawBufferPointer, UnsafeMutablePointer<UInt8>) -> Void
    ) -> TimedPair {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputs[0].first.count, alignment: 64)
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        return TimedPair(name, "zeros, random", callsForASample: 16, inputs) { bytes in
            input.copyBytes(from: bytes)
        } _: { _ in
            body(UnsafeRawBufferPointer(input), output)
        }
    }
}
